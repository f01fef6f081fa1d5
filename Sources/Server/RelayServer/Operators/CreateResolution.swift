import AccessControl
import HTTPListener
import PaymentRelay
import PayrelayPrimitives

/// `POST /v1/resolutions` on the admin listener: an operator resolves a payment by hand if the gateway leaves its
/// outcome open.
struct CreateResolution: Sendable {
    let relay: PaymentRelay

    /// The limit in bytes. A reason has at most 2,000 bytes, and JSON may encode each of them as six.
    static let bodyLimit = 16_384

    func respond(to request: RelayRequest) async throws -> Answer {
        let body = try ResolutionBody(json: try request.json())
        guard case .operator(let entry) = request.sender else { throw Problem(AuthenticationError.missing) }
        let payment: Payment
        do throws(ResolutionRefusal) {
            payment = try await relay.resolve(body.request(by: entry.request(identifier: request.identifier)))
        } catch {
            if case .journal(let error) = error { throw error }
            throw Problem(error)
        }
        let history = try await relay.history(of: payment.merchantReference)
        let queries = try await relay.queriesWithoutChange(of: payment.merchantReference)
        return Answer(json: .object(payment.view(with: history, queries: queries)))
    }
}

/// The body of a resolution. It has exactly these members, and all are required.
private struct ResolutionBody {
    private let merchantReference: String
    private let resolution: Resolution
    private let amount: MinorUnits
    private let confirmation: MinorUnits
    private let reason: OperatorNote

    /// - Throws: 400 with every invalid member.
    init(json: JSON) throws(Problem) {
        var reader = try JSONFieldReader(body: json)
        let known: Set = ["merchant_reference", "as", "amount", "confirm_amount", "reason"]
        for name in reader.object.names where !known.contains(name) { reader.add(name, "is not a member of this body") }
        let reference = reader.text("merchant_reference", limit: 255, required: true)
        let resolution = reader.text("as", limit: 255, required: true).flatMap { text in
            let resolution = Resolution(rawValue: text)
            if resolution == nil {
                reader.add("as", "must be one of \(Resolution.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return resolution
        }
        let amount = Self.amount("amount", &reader)
        let confirmation = Self.amount("confirm_amount", &reader)
        let reason = Self.reason(&reader)
        guard reader.errors.isEmpty, let reference, let resolution, let amount, let confirmation, let reason else {
            throw .invalidFields(reader.errors)
        }
        merchantReference = reference
        self.resolution = resolution
        self.amount = amount
        self.confirmation = confirmation
        self.reason = reason
    }

    private static func amount(_ name: String, _ reader: inout JSONFieldReader) -> MinorUnits? {
        if case .number(let digits) = reader.value(name), let amount = MinorUnits(parsing: digits), amount > .zero {
            return amount
        }
        reader.add(name, "must be a whole number of minor units, 1 to \(MinorUnits.limit)")
        return nil
    }

    private static func reason(_ reader: inout JSONFieldReader) -> OperatorNote? {
        guard let text = reader.text("reason", limit: OperatorNote.byteLimit, required: true) else { return nil }
        do throws(OperatorNoteError) {
            return try OperatorNote(text)
        } catch {
            switch error {
            case .empty: reader.add("reason", "has no text")
            case .tooLong: reader.add("reason", "must have at most \(OperatorNote.limit) characters")
            }
            return nil
        }
    }

    func request(by operatorRequest: OperatorRequest) -> ResolutionRequest {
        ResolutionRequest(
            merchantReference: merchantReference, resolution: resolution, amount: amount, confirmation: confirmation,
            reason: reason, by: operatorRequest)
    }
}
