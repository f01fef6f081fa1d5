import ApplePayToken
import Hummingbird
import NIOCore
import Primitives
import PaymentRelay

/// The body of `POST /v1/payments`, read into an order and a token. Every fault of both is named at once.
struct PaymentBody {
    let charge: any PreparedCharge
    /// The order's fields as the processor was given them, by FORT's names.
    let fields: [String: String]
    /// `application_data_hash`, which is this service's own field: it is compared with the token's and not sent on.
    let applicationDataHash: HexText?
    let fingerprint: RequestFingerprint

    /// - Parameters:
    ///   - json: the body.
    ///   - clientAddress: taken for `customer_ip` where the body has none.
    ///   - verifiesTokens: whether an `application_data_hash` will be looked at.
    /// - Throws: 400 with every field at fault; 422 for a simulator's token.
    init(
        json: JSON, clientAddress: String?, verifiesTokens: Bool = true, processor: some Processor
    ) throws(Problem) {
        guard case .object(let members) = json else {
            throw .notJSON("The body must be an object, not \(json.kind).")
        }
        var (fields, faults) = members.orderFields()
        let sent = fields
        do throws(ValidationError) {
            applicationDataHash = try fields.removeApplicationDataHash(verifiesTokens: verifiesTokens)
        } catch {
            applicationDataHash = nil
            faults.append(error)
        }
        if fields["customer_ip"] == nil { fields["customer_ip"] = clientAddress }

        let token: PaymentToken
        do throws(TokenDecodingError) {
            guard let json = members["token"] else { throw .faults([.init(field: "", detail: "is missing")]) }
            token = try PaymentToken(json: json)
        } catch {
            faults += processor.validationErrors(in: fields)
            switch error {
            // A simulator's token has no field at fault; it is named once everything else is right.
            case .simulator where faults.isEmpty: throw .simulatorToken("\(error)")
            case .simulator: break
            case .faults(let inToken): faults += inToken.map(ValidationError.init)
            }
            throw .invalidFields(faults.firstPerField())
        }

        do throws(ValidationErrors) {
            charge = try processor.prepare(fields, with: token)
        } catch {
            throw .invalidFields((faults + error.errors).firstPerField())
        }
        guard faults.isEmpty else { throw .invalidFields(faults) }
        self.fields = fields
        fingerprint = RequestFingerprint(fields: sent, token: TokenDigest(of: token))
    }
}

extension JSONObject {
    /// The members that belong to the order as text, and those whose kind of value is wrong. Only `amount` may be a number;
    /// its literal is kept, so that `100.5` and `1e3` are refused and not rounded.
    fileprivate func orderFields() -> (fields: [String: String], faults: [ValidationError]) {
        var fields: [String: String] = [:]
        var faults: [ValidationError] = []
        for member in members where member.name != "token" {
            switch (member.name, member.value) {
            case (_, .string(let text)): fields[member.name] = text
            case ("amount", .number(let literal)): fields[member.name] = literal
            default:
                let expected = member.name == "amount" ? "a whole number, or a string of digits" : "a string"
                faults.append(
                    ValidationError(field: member.name, detail: "must be \(expected), not \(member.value.kind)"))
            }
        }
        return (fields, faults)
    }
}

extension [String: String] {
    /// Takes the member that is no field of the order: SHA-256 of the payment request's `applicationData`, in hex.
    fileprivate mutating func removeApplicationDataHash(verifiesTokens: Bool) throws(ValidationError) -> HexText? {
        let field = "application_data_hash"
        guard let text = removeValue(forKey: field) else { return nil }
        // What was asked for and cannot be done must not pass for done.
        guard verifiesTokens else {
            throw ValidationError(field: field, detail: "cannot be compared: token verification is off")
        }
        guard let hash = try? HexText(text), hash.bytes.count == 32 else {
            throw ValidationError(field: field, detail: "must be the 64 hexadecimal digits of a SHA-256")
        }
        return hash
    }
}

extension ValidationError {
    /// A fault of the token, under its path in the request.
    fileprivate init(_ fault: TokenDecodingError.Fault) {
        self.init(field: fault.field.isEmpty ? "token" : "token.\(fault.field)", detail: fault.detail)
    }
}

extension [ValidationError] {
    /// A field whose value could not be read also counts as missing later on; what was found first says more.
    fileprivate func firstPerField() -> [ValidationError] {
        var named: Set<String> = []
        return filter { named.insert($0.field).inserted }
    }
}
