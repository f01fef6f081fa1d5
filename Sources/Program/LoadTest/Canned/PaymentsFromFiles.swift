import FoundationEssentials
import PayrelayAPI
public import PayrelayPrimitives

extension CannedPayments {
    /// Reads a merchant's own tokens, one for each payment of a schedule, from the `.json` files of a folder in the order
    /// of their names.
    ///
    /// A file with a `paymentData` is a token: it gets an order of 100.00 around it, in the currencies in turn. One with a `token` is a whole
    /// body of `POST /v1/payments`: it gets a reference of this run and is otherwise sent as it stands.
    ///
    /// - Parameters:
    ///   - name: what the references begin with.
    ///   - spoolFolder: where there is room for the bodies.
    /// - Throws: ``CannedPaymentsError``, or an error that says what could not be written.
    public static func fromFiles(
        in folder: String, for schedule: ArrivalSchedule, name: String, spoolFolder: String, currencies: [Currency]
    ) throws -> CannedPayments {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw CannedPaymentsError.unreadable(file: folder)
        }
        let files = names.filter { $0.ends(with: ".json") }.sorted()
        guard files.count >= schedule.count else {
            throw CannedPaymentsError.tooFewFiles(folder: folder, files: files.count, needed: schedule.count)
        }
        let references = (0..<schedule.count).map { "\(name)-\($0)" }
        var writer = try CannedPaymentsWriter(references: references, in: spoolFolder)
        for (number, file) in files.prefix(schedule.count).enumerated() {
            let currency = currencies[number % currencies.count]
            try writer.write(body(references[number], currency, fromFile: "\(folder)/\(file)"), of: number)
        }
        return writer.payments()
    }

    private static func body(
        _ reference: String, _ currency: Currency, fromFile path: String
    ) throws(CannedPaymentsError) -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw .unreadable(file: path) }
        guard var json = (try? JSON(parsing: Array(bytes)))?.objectValue else { throw .noToken(file: path) }
        if json["paymentData"] != nil { return paymentBody(reference, currency: currency, token: .object(json)) }
        guard json[PaymentField.token] != nil else { throw .noToken(file: path) }
        json[PaymentField.merchantReference] = .string(reference)
        return JSON.object(json).encoded()
    }
}
