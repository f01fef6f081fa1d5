import PayrelayPrimitives
import PaymentRelay

/// The body of `POST /v1/recurring-payments`, read into a charge of a stored card.
struct RecurringPaymentBody {
    let charge: any PreparedCharge
    let fingerprint: RequestFingerprint

    /// - Throws: 400 with every wrong field.
    init(json: JSON, processor: some Processor) throws(Problem) {
        var reader = try JSONFieldReader(body: json)
        let fields = reader.texts(digitsIn: "amount")
        do throws(ValidationErrors) {
            charge = try processor.prepareRecurring(fields)
        } catch {
            throw .invalidFields((reader.errors + error.errors).firstPerField())
        }
        guard reader.errors.isEmpty else { throw .invalidFields(reader.errors) }
        fingerprint = RequestFingerprint(fields: fields, token: nil)
    }
}
