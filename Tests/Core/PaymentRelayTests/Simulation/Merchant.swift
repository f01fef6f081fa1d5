import JournalContract
import PaymentRelay
import PayrelayPrimitives

/// A client that captures, voids or refunds an order, and repeats its request until it gets a final answer; or an operator,
/// whose form belongs to the payment as it was. Several merchants may work on one order.
struct Merchant: Sendable {
    let name: String
    let reference: String
    let host: RelayHost

    private var world: SimulatedWorld { host.world }

    func work() async {
        // A request that arrives before the charge has an outcome is refused.
        if world.chance.happens(0.9) { await waitForPayment() }
        for number in 1...world.chance.number(in: 1...5) {
            await world.pause(milliseconds: world.chance.happens(0.7) ? 0...2_000 : 0...60_000)
            var wish = wish("\(name)-\(number)")
            if world.chance.happens(0.3), let payment = await host.disk.payment(reference) {
                wish = wish.onForm(of: payment)
                await world.pause(milliseconds: 0...20_000)
            }
            await insist(on: wish)
        }
    }

    private func waitForPayment() async {
        while world.timeline.now < world.faultsEnd {
            if let payment = await host.disk.payment(reference), payment.state.isSettled { return }
            await world.timeline.sleep(.seconds(1))
        }
    }

    /// Returns a wish with a name that the caller chooses, or a wish without a name, which is identified by its content.
    private func wish(_ name: String) -> Wish {
        let commands: [OperationCommand] = [.capture, .capture, .refund, .refund, .voidAuthorization]
        let command = commands[world.chance.number(in: 0...commands.count - 1)]
        let isPart = command != .voidAuthorization && world.chance.happens(0.7)
        let naming = world.chance.number(in: 0...2)
        return Wish(
            name: name, command: command, amount: isPart ? MinorUnits(world.chance.number(in: 1...6) * 1_000) : nil,
            maintenanceReference: naming == 1 ? name : nil, idempotencyKey: naming == 2 ? name : nil)
    }

    private func insist(on wish: Wish) async {
        for attempt in 1...8 {
            let received = await ask(wish, "\(wish.name)-\(attempt)")
            switch received?.answer {
            case .success(let operation) where !operation.state.isOpen: return
            case .failure(.notAllowed), .failure(.idempotencyKeyTaken), .failure(.changedSince): return
            default: await world.timeline.sleep(world.chance.duration(upTo: .seconds(60)))
            }
        }
    }

    /// Makes one request, and waits for its answer as long as the caller has patience.
    ///
    /// - Returns: The answer, or `nil` if the caller received nothing.
    private func ask(_ wish: Wish, _ attempt: String) async -> ReceivedOperationAnswer? {
        guard let process = host.process else { return nil }
        world.note("merchant \(attempt) asks for \(wish) of \(reference)")
        let patience = world.chance.duration(in: world.chance.happens(0.3) ? 0...3_000 : 40_000...100_000)
        let received = await withCheckedContinuation { continuation in
            let first = FirstAnswer<ReceivedOperationAnswer?>(continuation)
            let request = Task(executorPreference: world.thread) {
                await host.keepRunning {
                    let answer = await perform(process.relay, wish, attempt)
                    if process.life.isOver { return first.give(nil) }
                    first.give(
                        ReceivedOperationAnswer(attempt: attempt, reference: reference, wish: wish, answer: answer))
                }
            }
            world.timeline.after(patience) {
                request.cancel()
                first.give(nil)
            }
        }
        world.note("merchant \(attempt) receives \(received.map(\.word) ?? "nothing")")
        if let received {
            host.receives(received)
            await holdAgainstRefusal(received)
        }
        return received
    }

    /// Checks that a client who receives "declined" finds the payment at least as far as FORT's books were at the refusal.
    private func holdAgainstRefusal(_ received: ReceivedOperationAnswer) async {
        guard case .success(let operation) = received.answer, operation.state == .declined,
            let atFort = host.fort.books.refusals[operation.identifier],
            let payment = await host.disk.payment(reference),
            payment.balance.captured < atFort.captured || payment.balance.refunded < atFort.refunded
        else { return }
        world.found("\(received.attempt) was told declined of \(reference), behind FORT's books")
    }

    private func perform(
        _ relay: PaymentRelay, _ wish: Wish, _ attempt: String
    ) async -> Result<PaymentOperation, OperationRefusal> {
        let request =
            if let seen = wish.seen, let key = wish.idempotencyKey {
                OperationRequest(
                    merchantReference: reference, command: wish.command, amount: wish.amount, idempotencyKey: key,
                    by: OperatorRequest(
                        operatorName: "O", identifier: attempt, permitted: Set(OperatorAction.allCases)),
                    basis: seen.version)
            } else {
                OperationRequest(
                    merchantReference: reference, command: wish.command, amount: wish.amount,
                    maintenanceReference: wish.maintenanceReference, idempotencyKey: wish.idempotencyKey,
                    fields: ["attempt": attempt], identifier: attempt)
            }
        do throws(OperationRefusal) {
            return .success(try await relay.perform(host.bug?.operation(request) ?? request).operation)
        } catch {
            return .failure(error)
        }
    }
}

/// An operation that a merchant wants, however many requests it takes.
struct Wish: Sendable, CustomStringConvertible {
    let name: String
    let command: OperationCommand
    /// The amount in minor units, or `nil` for all that is left.
    let amount: MinorUnits?
    let maintenanceReference: String?
    let idempotencyKey: String?
    /// The payment as an operator saw it in the form.
    var seen: Payment?

    func onForm(of payment: Payment) -> Wish {
        Wish(
            name: name, command: command, amount: amount, maintenanceReference: nil, idempotencyKey: name,
            seen: payment)
    }

    var hasName: Bool { maintenanceReference != nil || idempotencyKey != nil }

    var description: String {
        "\(command.rawValue) \(amount.map { "\($0)" } ?? "all")\(hasName ? " by name" : "")\(seen.map { " on a form of \($0.version)" } ?? "")"
    }
}

/// The answer that one merchant received.
struct ReceivedOperationAnswer: Sendable {
    let attempt: String
    let reference: String
    let wish: Wish
    let answer: Result<PaymentOperation, OperationRefusal>

    var word: String {
        switch answer {
        case .success(let operation): operation.state.rawValue
        case .failure(let refusal): "\(refusal)"
        }
    }
}
