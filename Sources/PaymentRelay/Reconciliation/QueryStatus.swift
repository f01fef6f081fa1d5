import FoundationEssentials
import Logging
import PayrelayPrimitives

/// R10: what is uncertain is asked (CHECK_STATUS) until a verified answer settles it.
extension PaymentRelay {
    /// Asks the processor what became of a payment and of its operations, and records what is new. What any instance is
    /// just sending is left alone: its own answer is on the way.
    ///
    /// - Parameters:
    ///   - visible: as for ``payment(_:among:)``.
    ///   - request: the HTTP request that asks for it; nil where none does.
    /// - Returns: the payment as it stands afterwards; nil where there is none.
    public func sync(
        _ merchantReference: String, among visible: VisiblePayments? = nil, request: String? = nil
    ) async throws(JournalError) -> Payment? {
        guard let payment = try await payment(merchantReference, among: visible) else { return nil }
        guard !payment.isBeingSent || payment.lease.expiresAt <= now(), payment.state != .notSent else {
            return payment
        }
        return try await queryStatus(of: payment, request: request)
    }

    /// The same for a holder of the payment's lease. Without the lease, what is being sent must have an expired one; a
    /// query about the rest does no harm however many are made.
    func queryStatus(of known: Payment, request: String? = nil) async throws(JournalError) -> Payment {
        var payment = known
        if payment.isBeingSent {
            payment = await record(on: payment, request: request) { $0.afterInterruption() }
            guard payment.isOpen, !payment.isBeingSent else { return payment }
        }
        // Taken before the query is sent: while its answer is under way, the request may still arrive.
        let timeUncertain = try await timeUncertain(payment)
        let report = await processor.status(of: payment)
        return await record(report, on: payment, request: request) {
            $0.afterStatus($1, timeUncertain: timeUncertain)
        }
    }

    /// How long the payment has been uncertain. Sending had ended when it became so; when it was claimed, sending had
    /// yet to begin, and a slow journal may have held it up.
    private func timeUncertain(_ payment: Payment) async throws(JournalError) -> Duration {
        if let operation = payment.openOperation { return now() - operation.changedAt }
        guard payment.state.isOpen else { return .zero }
        let history = try await journal.history(of: payment.merchantReference)
        // An operator's question adds an entry of the same state. It does not begin the wait again.
        let last = history.reversed().drop { $0.state != .uncertain }.prefix { $0.state == .uncertain }
        guard let first = last.last else { return .zero }
        return now() - first.at
    }

    /// Lets the lease of a payment that is still open end at `moment`.
    func release(_ payment: Payment, at moment: Date) async {
        do {
            try await journal.release(payment.merchantReference, lease: payment.lease, at: moment)
        } catch {
            logger.warning(
                "lease not released; it expires by itself",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
        }
    }
}

extension Payment {
    /// Whether a request about it may be on its way to the processor at this moment.
    var isBeingSent: Bool {
        state == .processing || openOperation?.state == .processing
    }
}
