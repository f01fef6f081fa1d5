import FoundationEssentials
import Logging

extension PaymentRelay {
    /// What is known of a payment; nil where there is none.
    ///
    /// - Parameter client: the authenticated client; another client's payment does not exist for it.
    public func payment(_ merchantReference: String, for client: String? = nil) async throws -> Payment? {
        guard let payment = try await journal.payment(merchantReference), payment.isVisible(to: client) else {
            return nil
        }
        return payment
    }

    /// What happened to a payment, oldest first.
    public func history(of merchantReference: String) async throws -> [HistoryEntry] {
        try await journal.history(of: merchantReference)
    }

    /// Asks the processor what became of a payment and of what was done with it, and records what is new. What any instance
    /// is just sending is left alone: its own answer is on the way.
    ///
    /// - Parameters:
    ///   - client: as for ``payment(_:for:)``.
    ///   - request: the HTTP request that asks for it; nil where none does.
    /// - Returns: the payment as it stands afterwards; nil where there is none.
    public func sync(
        _ merchantReference: String, for client: String? = nil, request: String? = nil
    ) async throws -> Payment? {
        guard let payment = try await payment(merchantReference, for: client) else { return nil }
        guard !payment.isBeingSent || payment.lease.expiresAt <= now(), payment.state != .notSent else {
            return payment
        }
        return try await ask(about: payment, request: request)
    }

    /// The same, for who may: what is being sent needs the payment's lease, or an expired one; to ask about the rest does no
    /// harm however many do.
    func ask(about known: Payment, request: String? = nil) async throws -> Payment {
        var payment = known
        if payment.isBeingSent {
            payment = await settle(payment, after: .interrupted, request: request)
            guard payment.isOpen, !payment.isBeingSent else { return payment }
        }
        // Taken before the question leaves: while its answer is under way, the request may still arrive.
        let timeUncertain = try await timeUncertain(payment)
        let report = await processor.status(of: payment)
        return await settle(payment, after: .queried(report, timeUncertain: timeUncertain), request: request)
    }

    /// How long the payment has been uncertain. Sending had ended when it became so; when it was claimed, sending had yet
    /// to begin, and a slow journal may have held it up.
    private func timeUncertain(_ payment: Payment) async throws -> Duration {
        if let operation = payment.openOperation {
            return .seconds(now().timeIntervalSince(operation.changedAt))
        }
        guard payment.state.isOpen else { return .zero }
        let history = try await journal.history(of: payment.merchantReference)
        guard let entry = history.last(where: { $0.state == .uncertain }) else { return .zero }
        return .seconds(now().timeIntervalSince(entry.at))
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
    fileprivate var isBeingSent: Bool {
        state == .processing || openOperation?.state == .processing
    }
}
