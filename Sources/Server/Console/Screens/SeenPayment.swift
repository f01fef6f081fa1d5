import PaymentRelay
import PayrelayPrimitives

/// The version of a payment that a form belongs to; the form's address names it. A form is rejected if the
/// payment has changed since the form was opened.
extension ScreenRequest {
    /// Returns the version that the form was opened on; `nil` if the address names none.
    ///
    /// - Throws: ``ConsoleError`` if the address has an invalid version.
    func seenVersion() throws(ConsoleError) -> Int? {
        guard let text = query["seen"] else { return nil }
        guard let seen = MinorUnits(parsing: text), let version = Int(exactly: seen.value) else {
            throw .invalid("Its address was changed. Nothing was done. Open the payment.")
        }
        return version
    }
}

extension PaymentRelay {
    /// Returns the error for a form that was opened on an older version, with the history entries since then.
    func changedSince(_ seen: Int, _ payment: Payment) async throws(JournalError) -> ConsoleError {
        let history = try await history(of: payment.merchantReference)
        let since = history.suffix(min(max(payment.version - seen, 0), Self.shownSince)).map { entry in
            let name = entry.operatorName.map { ", \($0)" } ?? ""
            let what = entry.reason ?? entry.state.label
            return "\(entry.at.utcText)\(name): \(what). "
        }
        return .changedSince(since.joined())
    }

    /// The maximum number of history entries in the error. An operation has two entries, and the error page need
    /// not show the full history.
    private static let shownSince = 6
}
