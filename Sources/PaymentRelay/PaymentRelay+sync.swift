import FoundationEssentials
import Logging

extension PaymentRelay {
    /// What is known of a payment; nil where there is none.
    public func payment(_ merchantReference: String) async throws -> Payment? {
        try await journal.payment(merchantReference)
    }

    /// What happened to a payment, oldest first.
    public func history(of merchantReference: String) async throws -> [HistoryEntry] {
        try await journal.history(of: merchantReference)
    }

    /// Asks the processor what became of an open payment and records a final word. A payment that any instance is just
    /// charging is left alone: its own answer is on the way.
    ///
    /// - Parameter request: the HTTP request that asks for it; nil where the reconciler does.
    /// - Returns: the payment as it stands afterwards; nil where there is none.
    public func sync(_ merchantReference: String, request: String? = nil) async throws -> Payment? {
        guard let payment = try await journal.payment(merchantReference) else { return nil }
        guard payment.state == .uncertain || payment.lease.expiresAt <= now() else { return payment }
        return try await ask(about: payment, request: request)
    }

    /// The same, for who may: `processing` needs the payment's lease, or an expired one; to ask about what is `uncertain`
    /// does no harm however many do.
    func ask(about open: Payment, request: String? = nil) async throws -> Payment {
        var payment = open
        guard payment.state.isOpen else { return payment }
        if payment.state == .processing {
            payment = await settle(payment, after: .interrupted, request: request)
            guard payment.state == .uncertain else { return payment }
        }
        // Taken before the question leaves: while its answer is under way, the request may still arrive.
        let timeUncertain = try await timeUncertain(payment.merchantReference)
        let report = await processor.status(of: payment)
        return await settle(payment, after: .queried(report, timeUncertain: timeUncertain), request: request)
    }

    /// How long the payment has been uncertain. Sending had ended when it became so; when it was claimed, sending had yet
    /// to begin, and a slow journal may have held it up.
    private func timeUncertain(_ merchantReference: String) async throws -> Duration {
        let history = try await journal.history(of: merchantReference)
        guard let entry = history.last(where: { $0.state == .uncertain }) else { return .zero }
        return .seconds(now().timeIntervalSince(entry.at))
    }

    /// Lets the lease of a payment that is still open end at `moment`.
    func release(_ payment: Payment, at moment: Date) async {
        do {
            try await journal.release(payment.merchantReference, lease: payment.lease.number, at: moment)
        } catch {
            logger.warning(
                "a lease could not be released; it expires by itself",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
        }
    }
}
