import ApplePayToken
import PaymentRelay
import PayrelayPrimitives

extension PaymentRequest {
    /// Reads the body of `POST /v1/payments`: an order and a token. All errors in both are reported at once.
    ///
    /// - Parameters:
    ///   - json: the body.
    ///   - clientAddress: used as `customer_ip` if the body has none.
    ///   - verifiesTokens: whether tokens are verified, so that an `application_data_hash` can be compared.
    ///   - simulatorTokens: `nil` if the iOS Simulator's token is rejected.
    /// - Throws: 400 with every invalid field; 422 for the iOS Simulator's token.
    init(
        body json: JSON, clientAddress: String?, verifiesTokens: Bool = true, gateways: Gateways,
        simulatorTokens: SimulatorTokens? = nil, client: String?, identifier: String
    ) throws(Problem) {
        let members = try JSONFieldReader(body: json).object
        var order = JSONFieldReader(members.filter { $0.name != "token" })
        var fields = order.texts(digitsIn: "amount")
        let sent = fields
        // This member belongs to payrelay: it is compared with the token's hash, and is not sent to the gateway.
        let applicationDataHash = order.removeApplicationDataHash(from: &fields, verifiesTokens: verifiesTokens)
        var errors = order.errors
        if fields["customer_ip"] == nil { fields["customer_ip"] = clientAddress }

        let token: PaymentToken
        var isSimulated = false
        do throws(TokenDecodingError) {
            guard let json = members["token"] else { throw .invalid([.init(field: "", detail: "is missing")]) }
            token = try PaymentToken(json: json)
        } catch {
            errors += gateways.validationErrors(in: fields)
            if case .invalid(let inToken) = error { errors += inToken.map(\.underToken) }
            // The Simulator's token has no invalid field. It is reported only if everything else is valid.
            guard errors.isEmpty else { throw .invalidFields(errors.firstPerField()) }
            guard let simulatorTokens else { throw .simulatorToken("\(error)") }
            token = try simulatorTokens.token(
                for: fields, inPlaceOf: members["token"], applicationData: applicationDataHash)
            isSimulated = true
        }

        let charge: any PreparedCharge
        do throws(ValidationErrors) {
            charge = try gateways.prepare(fields, with: token)
        } catch {
            throw .invalidFields((errors + error.errors).firstPerField())
        }
        guard errors.isEmpty else { throw .invalidFields(errors) }
        self.init(
            charge, applicationDataHash: applicationDataHash,
            // Each minted token is different, although the request is the same. So the fingerprint uses a
            // constant instead of the token.
            fingerprint: RequestFingerprint(
                fields: sent, token: isSimulated ? RequestFingerprint.simulatorToken : token.digest),
            client: client, identifier: identifier, isSimulated: isSimulated)
    }
}

extension JSONFieldReader {
    /// Removes the member that is not a field of the order: the SHA-256 of the payment request's
    /// `applicationData`, in hex.
    fileprivate mutating func removeApplicationDataHash(
        from fields: inout [String: String], verifiesTokens: Bool
    ) -> HexText? {
        let name = "application_data_hash"
        guard let text = fields.removeValue(forKey: name) else { return nil }
        // A comparison that the client asked for must not be skipped silently.
        guard verifiesTokens else {
            add(name, "cannot be compared: token verification is off")
            return nil
        }
        guard let hash = try? HexText(text), hash.bytes.count == 32 else {
            add(name, "must be the 64 hexadecimal digits of a SHA-256")
            return nil
        }
        return hash
    }
}

extension ValidationError {
    /// The same error, with the path that the token's field has in the request.
    fileprivate var underToken: ValidationError {
        ValidationError(field: field.isEmpty ? "token" : "token.\(field)", detail: detail)
    }
}

extension [ValidationError] {
    /// Returns the first error for each field. A field whose value could not be read is later reported as
    /// missing, too; the first error says more.
    func firstPerField() -> [ValidationError] {
        var named: Set<String> = []
        return filter { named.insert($0.field).inserted }
    }
}
