import FoundationEssentials
import PayrelayAPI
import PayrelayPrimitives

extension CannedPayments {
    /// Reads a merchant's own tokens, one for each payment of a schedule, from the `.json` files of a folder in
    /// the order of their names.
    ///
    /// - A file with a `paymentData` is a token. It gets an order of 100.00, in the currencies in turn.
    /// - A file with a `token` is a complete body of `POST /v1/payments`. It gets a reference of this run and is
    ///   otherwise sent unchanged.
    ///
    /// - Parameters:
    ///   - name: the prefix of the references.
    ///   - spoolFolder: a folder with room for the bodies.
    /// - Throws: ``CannedPaymentsError``, or an error about a file that could not be written.
    static func fromFiles(
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
