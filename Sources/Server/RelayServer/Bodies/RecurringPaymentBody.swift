import PaymentRelay
import PayrelayPrimitives

extension PaymentRequest {
    /// Reads the body of `POST /v1/recurring-payments`: a charge of a stored card.
    ///
    /// - Throws: 400 with every invalid field.
    init(
        recurringBody json: JSON, gateways: Gateways, client: String?, identifier: String
    ) throws(Problem) {
        var reader = try JSONFieldReader(body: json)
        let fields = reader.texts(digitsIn: "amount")
        let charge: any PreparedCharge
        do throws(ValidationErrors) {
            charge = try gateways.prepareRecurring(fields)
        } catch {
            throw .invalidFields((reader.errors + error.errors).firstPerField())
        }
        guard reader.errors.isEmpty else { throw .invalidFields(reader.errors) }
        self.init(
            charge, fingerprint: RequestFingerprint(fields: fields, token: nil), client: client, identifier: identifier)
    }
}
