import Primitives
import FoundationEssentials
import Logging

extension PaymentRelay {
    /// Captures, voids or refunds: decide, record, send, record what became of it.
    ///
    /// The client may go away at any moment; what was begun is carried through and journaled all the same.
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
        inFlight.enter()
        defer { inFlight.leave() }

        // Each further round means that another request has changed the payment in between.
        for _ in 0..<Self.rounds {
            let payment = try await known(request)
            if let currency = request.currency, currency != payment.currency { throw .otherCurrency(payment.currency) }
            if let replay = try replay(request, of: payment) { return replay }
            let begun = try begin(request, on: payment)
            guard try await record(begun, after: payment, for: request) else { continue }
            return OperationResult(operation: try await send(request, on: begun), isReplay: false)
        }
        throw .inFlight
    }

    /// How often a payment that others keep changing is looked at anew.
    static let rounds = 8

    private func send(
        _ request: OperationRequest, on payment: Payment
    ) async throws(OperationRefusal) -> PaymentOperation {
        guard let operation = payment.openOperation else { throw .inFlight }
        let report: ProcessorReport
        if now() + policy.processorTimeout <= payment.lease.expiresAt {
            report = await processor.perform(payment, operation, fields: request.fields)
        } else {
            report = .notSent(reason: "recording the \(operation.command.rawValue) took too long")
        }
        let settled = await settle(payment, after: .performed(report), request: request.identifier)
        if settled.isOpen { await release(payment, at: now()) }
        log(settled.operations.last ?? operation, on: settled, request: request.identifier)
        if case .notSent(let reason) = report { throw .notSent(reason: reason) }
        // The payment may have gone on since; this operation keeps its place.
        let place = payment.operations.count - 1
        return settled.operations.indices.contains(place) ? settled.operations[place] : operation
    }

    private func known(_ request: OperationRequest) async throws(OperationRefusal) -> Payment {
        let payment: Payment?
        do {
            payment = try await journal.payment(request.merchantReference)
        } catch is UnreadableRecord {
            throw .recordUnreadable
        } catch {
            throw .journalUnavailable(reason: "the journal could not be read")
        }
        guard let payment, payment.isVisible(to: request.client) else { throw .noSuchPayment }
        return payment
    }

    /// The payment with the operation begun, not yet recorded.
    private func begin(_ request: OperationRequest, on payment: Payment) throws(OperationRefusal) -> Payment {
        guard payment.operations.count < Self.operationLimit else {
            throw .notAllowed(reason: "a payment takes at most \(Self.operationLimit) operations")
        }
        var machine = PaymentStateMachine(payment, policy: policy)
        let amount: MinorUnits
        switch machine.handle(.asked(request.command, amount: request.amount)) {
        case .begin(let permitted): amount = permitted
        case .refuse(let refusal): throw refusal
        default: throw .inFlight
        }
        let moment = now()
        let operation = PaymentOperation(
            command: request.command, amount: amount, maintenanceReference: request.maintenanceReference,
            name: request.name(on: payment), before: payment.balance, begunAt: moment)
        let faults = processor.faults(in: payment, operation, fields: request.fields)
        guard faults.isEmpty else { throw .faults(ValidationErrors(faults)) }
        return payment.beginning(operation, leasedUntil: moment + policy.leaseDuration)
    }

    /// Whoever needs more of them has gone wrong; the payment's row would grow without bound.
    static let operationLimit = 100

    /// False where the payment is no longer as it was read.
    private func record(
        _ begun: Payment, after payment: Payment, for request: OperationRequest
    ) async throws(OperationRefusal) -> Bool {
        let reason = begun.openOperation.map { "\($0.command.rawValue) of \($0.amount) begun" }
        do {
            return try await journal.replace(
                payment, with: begun,
                because: HistoryEntry(
                    at: now(), state: begun.state, balance: begun.balance, reason: reason,
                    requestIdentifier: request.identifier))
        } catch {
            logger.error("operation not journaled", metadata: ["error": "\(error)"])
            throw .journalUnavailable(reason: "the operation could not be recorded, so nothing was sent")
        }
    }

    /// The stored answer to a request that comes again; nil for a new one.
    private func replay(
        _ request: OperationRequest, of payment: Payment
    ) throws(OperationRefusal) -> OperationResult? {
        let name = request.name(on: payment)
        guard let known = payment.operations.last(where: { $0.name == name && $0.state != .notSent }) else {
            return nil
        }
        guard known.command == request.command, request.amount.map({ $0 == known.amount }) ?? true else {
            throw .nameTaken
        }
        guard let receipt = known.receipt else { throw .inFlight }
        guard Receipt.isReadable(receipt) else { throw .recordUnreadable }
        return OperationResult(operation: known, isReplay: true)
    }
}

extension OperationRequest {
    /// What makes it one and the same. Without a name of the client's, one that came to nothing does not stand in the way
    /// of the next try.
    fileprivate func name(on payment: Payment) -> String {
        if let givenName { return givenName }
        let content = "\(command.rawValue) \(amount.map { "\($0)" } ?? "all")"
        let inVain = payment.operations.filter {
            $0.name.hasPrefix(content + " ") && [.declined, .notProcessed].contains($0.state)
        }
        return "\(content) try \(inVain.count + 1)"
    }
}
