import FoundationEssentials
import Logging
import PayrelayPrimitives
import UnderWay

extension PaymentRelay {
    /// Captures, voids or refunds: decides whether the operation may begin, records it, sends it, and records the
    /// outcome.
    ///
    /// The client may disconnect at any moment. An operation that was begun is carried through and journaled all
    /// the same.
    public func perform(_ request: OperationRequest) async throws(OperationRefusal) -> OperationResult {
        let carried = Task(executorPreference: executor) { () async -> Result<OperationResult, OperationRefusal> in
            let result: Result<OperationResult, OperationRefusal>
            do throws(OperationRefusal) {
                result = .success(try await self.carryThrough(request))
            } catch {
                result = .failure(error)
            }
            self.observe(.performed(request.command, result))
            return result
        }
        return try await carried.value.get()
    }

    private func carryThrough(_ request: OperationRequest) async throws(OperationRefusal) -> OperationResult {
        underWay.enter()
        defer { underWay.leave() }

        if let operatorRequest = request.operatorRequest, !operatorRequest.may(OperatorAction(request.command)) {
            throw .notPermitted
        }
        var refusal = OperationRefusal.inFlight
        // Each further attempt means that another request has changed the payment, or has taken the key, in
        // between.
        for _ in 0..<Self.attempts {
            let payment = try await known(request)
            if let currency = request.currency, currency != payment.currency { throw .otherCurrency(payment.currency) }
            let use = try await keyUse(of: request)
            // An operation that began after the payment was read has taken the key.
            if let identifier = use?.operation(on: payment), payment.archivedVersion == nil,
                !payment.operations.contains(where: { $0.identifier == identifier })
            {
                refusal = .idempotencyKeyTaken
                continue
            }
            if let stored = try request.storedAnswer(of: payment, keyUse: use) { return stored }
            if let basis = request.basis, basis != payment.version { throw .changedSince }
            try await checkAccount(of: payment)
            let (begun, operation) = try begin(request, on: payment)
            guard try await record(begun) else {
                refusal = .inFlight
                continue
            }
            return OperationResult(
                operation: try await sendOnce(request, operation, on: begun.after), isReplay: false)
        }
        throw refusal
    }

    /// How many times a payment that other requests keep changing is read.
    static let attempts = 8

    /// How many operations a payment may have, so that its row does not grow without bound. A client that needs
    /// more is in error.
    static let operationLimit = 100

    private func known(_ request: OperationRequest) async throws(OperationRefusal) -> Payment {
        let payment: Payment?
        do throws(JournalError) {
            payment = try await journal.payment(request.merchantReference)
        } catch {
            if case .unreadable = error { throw .recordUnreadable }
            throw .journalUnavailable(reason: "the journal could not be read")
        }
        guard let payment, payment.isVisible(among: request.visible) else { throw .noSuchPayment }
        return payment
    }

    private func keyUse(of request: OperationRequest) async throws(OperationRefusal) -> KeyUse? {
        do throws(JournalError) {
            return try await keyUse(request.journaledKey)
        } catch {
            throw .journalUnavailable(reason: "the journal could not be read")
        }
    }

    /// Refuses an operation that could not be sent to the account that charged the payment, or whose answer could
    /// not be verified.
    private func checkAccount(of payment: Payment) async throws(OperationRefusal) {
        if let unavailability = gateways.unavailability(of: payment) { throw .notSent(reason: unavailability.reason) }
        if let unverified = await gateways.whyUnverified(payment.account, of: payment.gateway) {
            throw OperationRefusal(unverified)
        }
    }

    /// Returns a change that begins the operation, which is not yet recorded.
    private func begin(
        _ request: OperationRequest, on payment: Payment
    ) throws(OperationRefusal) -> (Change, PaymentOperation) {
        guard payment.operations.count < Self.operationLimit else {
            throw .notAllowed(reason: "a payment takes at most \(Self.operationLimit) operations")
        }
        let amount = try payment.permit(request.command, amount: request.amount)
        let occasion = occasion(Origin(request.source, request: request.identifier))
        let operation = PaymentOperation(
            command: request.command, amount: amount, requestedAmount: request.amount,
            maintenanceReference: request.maintenanceReference, idempotencyKey: request.journaledKey,
            givenReason: request.givenReason,
            before: payment.balance, begunAt: occasion.at)
        let errors = gateways.validationErrors(in: payment, operation, fields: request.fields)
        guard errors.isEmpty else { throw .invalid(ValidationErrors(errors)) }
        let lease = occasion.at + gateways.leaseDuration(of: payment.gateway)
        return (payment.beginning(operation, leasedUntil: lease, on: occasion), operation)
    }

    /// Records that an operation begins.
    ///
    /// - Returns: whether this call has recorded the operation. Nothing was sent yet in that case, because the
    ///   journal recognizes this very change even if it needed two attempts. If not, the payment is no longer the
    ///   one that was read, or another request has taken the key.
    private func record(_ begun: Change) async throws(OperationRefusal) -> Bool {
        do throws(JournalError) {
            return try await journal.commit(begun) == .written
        } catch {
            logger.error("operation not journaled", metadata: ["error": "\(error)"])
            throw .journalUnavailable(reason: "the operation could not be recorded")
        }
    }

    /// Sends an operation once, and only if its answer must arrive before this instance's lease expires. If the
    /// operation gets no answer, the gateway is queried later.
    private func sendOnce(
        _ request: OperationRequest, _ operation: PaymentOperation, on payment: Payment
    ) async throws(OperationRefusal) -> PaymentOperation {
        var report: Outcome<GatewayAnswer>
        if now() + gateways.longestExchange(of: payment.gateway) <= payment.lease.expiresAt {
            report = await gateways.perform(payment, operation, fields: request.fields)
        } else {
            report = .notSent(reason: "recording the \(operation.command.rawValue) took too long")
        }
        report = plausible(report, for: payment, request: request.identifier)
        var status: Outcome<GatewayAnswer>?
        // Before the client is answered that the operation was declined, the gateway must report the payment's
        // state.
        if case .answered(let answer) = report, payment.isBehind(refusal: answer) {
            status = plausible(
                await gateways.status(of: payment.withoutOpenOperation).report, for: payment,
                request: request.identifier)
        }
        var settled = await record(
            .performed(operation, report, status: status), on: payment,
            from: Origin(
                .gatewayAnswer, request: request.identifier, by: request.operatorRequest?.operatorName)
        ).payment
        if case .notSent(let reason) = report {
            log(
                operation, as: "not_sent", on: settled, request: request.identifier, client: request.visible?.client,
                operatorName: request.operatorRequest?.operatorName)
            throw .notSent(reason: reason)
        }
        if settled.isBehind(report, to: operation) { settled = await askAbout(settled) }
        // The payment may have changed since.
        let ended = settled.operations.last { $0.isSame(as: operation) } ?? operation
        log(
            ended, as: ended.outcome(on: settled), on: settled, request: request.identifier,
            client: request.visible?.client, operatorName: request.operatorRequest?.operatorName)
        return ended
    }

    /// Queries the gateway about a payment, so that its current answer counts.
    private func askAbout(_ payment: Payment) async -> Payment {
        do throws(JournalError) {
            return try await queryStatus(of: payment, by: .reconciler).payment
        } catch {
            logger.error(
                "a late answer to an operation could not be looked into",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
            return payment
        }
    }
}

extension Payment {
    /// The payment as it was before its open operation began, so that a query is not about the operation.
    fileprivate var withoutOpenOperation: Payment {
        var payment = self
        payment.operations.removeAll { $0.state.isOpen }
        return payment
    }

    /// Whether the answer to an operation says that it was done, although it was recorded as not processed in the
    /// meantime.
    fileprivate func isBehind(_ report: Outcome<GatewayAnswer>, to operation: PaymentOperation) -> Bool {
        guard case .answered(let answer) = report else { return false }
        return operations.last { $0.isSame(as: operation) }?.state == .notProcessed
            && answer.meaning == operation.command.success
    }
}

extension KeyUse {
    /// The operation to which the key belongs; `nil` if the key belongs to a charge or to another payment.
    fileprivate func operation(on payment: Payment) -> String? {
        merchantReference == payment.merchantReference ? operation : nil
    }
}

extension OperationRequest {
    /// The operator or the client who requested the operation.
    fileprivate var source: HistorySource {
        operatorRequest.map { .operator($0.operatorName) } ?? .client(visible?.client)
    }
}
