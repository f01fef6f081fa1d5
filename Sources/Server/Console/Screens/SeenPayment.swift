import PaymentRelay
import PayrelayPrimitives

/// The version of a payment that a form belongs to: the address of the form names it. A form that was opened before anything else happened
/// to the payment is refused.
extension ScreenRequest {
    /// Returns the version that the form was opened on; `nil` if the address names none.
    ///
    /// - Throws: ``ConsoleError`` if the address names something else.
    func seenVersion() throws(ConsoleError) -> Int? {
        guard let text = query["seen"] else { return nil }
        guard let seen = MinorUnits(parsing: text), let version = Int(exactly: seen.value) else {
            throw .invalid("Its address was changed. Nothing was done. Open the payment.")
        }
        return version
    }
}

extension PaymentRelay {
    /// Returns the refusal of a form that was opened on an older version, with what the history has since.
    func changedSince(_ seen: Int, _ payment: Payment) async throws(JournalError) -> ConsoleError {
        let history = try await history(of: payment.merchantReference)
        let since = history.suffix(min(max(payment.version - seen, 0), Self.shownSince)).map { entry in
            let name = entry.operatorName.map { ", \($0)" } ?? ""
            let what = entry.reason ?? entry.state.label
            return "\(entry.at.utcText)\(name): \(what). "
        }
        return .changedSince(since.joined())
    }

    /// How many entries of the history are shown: an operation has two, and the page is not the history.
    private static let shownSince = 6
}
