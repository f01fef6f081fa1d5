import PayrelayPrimitives
import Synchronization

@testable import PaymentRelay

/// FORT: it keeps the books of what was charged, by reference, and refuses a reference that it has.
final class SimulatedFort: Sendable {
    /// A charge request as it left the relay.
    struct ChargeRequest: Sendable {
        /// Each time the relay sent something it has another number; copies that the network makes have the same.
        let sending: Int
        /// The caller's attempt that it was sent for.
        let attempt: String?
        let order: Order
        let token: TokenDigest?
    }

    enum Standing: Sendable {
        case charged, declined, onHold
    }

    struct Entry: Sendable {
        let request: ChargeRequest
        var standing: Standing
        var balance = Balance()
        var isVoided = false
        /// Which operations were carried out, in their order.
        var operations: [(sending: Int, operation: PaymentOperation)] = []
        /// By FORT's dashboard.
        var wasTouchedElsewhere = false

        /// What was taken, as long as the charge itself stands.
        var balanceThatStands: Balance { standing == .charged ? balance : Balance() }
    }

    struct Books: Sendable {
        var entries: [String: Entry] = [:]
        /// Which sendings arrived, by reference.
        var sendings: [String: Set<Int>] = [:]
        /// Which attempts of callers arrived.
        var attempts: Set<String> = []
        var answersGiven = 0
    }

    private let state = Mutex(Books())
    private let waiting = Mutex(0)
    private let listener = Mutex<(@Sendable (ProcessorNotification) -> Void)?>(nil)
    private let world: SimulatedWorld

    init(world: SimulatedWorld) {
        self.world = world
    }

    var books: Books { state.withLock { $0 } }

    /// Sets where notifications of changes are sent.
    func tell(_ listener: @escaping @Sendable (ProcessorNotification) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    func charge(_ request: ChargeRequest) -> ProcessorAnswer {
        let reference = request.order.merchantReference
        let isNew = state.withLock { books in
            books.sendings[reference, default: []].insert(request.sending)
            if let attempt = request.attempt { books.attempts.insert(attempt) }
            return books.entries[reference] == nil
        }
        guard isNew else {
            world.note("FORT: \(reference) again, by sending \(request.sending)")
            return answer(.duplicate)
        }
        let fate = world.chance.number(in: 0...9)
        let standing: Standing = fate < 6 ? .charged : fate < 8 ? .declined : .onHold
        let captured: MinorUnits = request.order.command == .purchase ? request.order.amount : .zero
        state.withLock { books in
            books.entries[reference] = Entry(
                request: request, standing: standing, balance: Balance(captured: captured))
        }
        world.note("FORT: \(reference), sending \(request.sending), attempt \(request.attempt ?? "?"): \(standing)")
        if standing == .onHold { settleLater(reference) } else { tellOfCharge(reference) }
        // Of a charge that was made FORT may still say that it does not know.
        return answer(fate == 0 ? .pending(reason: "technical problem") : meaning(of: reference))
    }

    func status(of reference: String) -> ProcessorAnswer {
        let found = meaning(of: reference)
        world.note("FORT: asked about \(reference): \(found)")
        if world.strikes(\.answerSenseless) { return senseless(about: reference) }
        return answer(found, totals: state.withLock { $0.entries[reference]?.balance })
    }

    /// What FORT would never say of this order: more than it is about, more refunded than captured, a number that is
    /// none, another order's amount.
    private func senseless(about reference: String) -> ProcessorAnswer {
        let meanings: [ProcessorAnswer.Meaning] = [.authorized, .captured, .refunded]
        let meaning = meanings[world.chance.number(in: 0...2)]
        let kind = world.chance.number(in: 0...3)
        world.note("FORT: answers senselessly about \(reference), \(meaning), \(kind)")
        let response: JSONObject = [:]
        return switch kind {
        case 0:
            ProcessorAnswer(
                meaning: meaning, totals: Balance(captured: 9_999_999_999), summary: ["answer": 0], response: response)
        case 1:
            ProcessorAnswer(
                meaning: meaning, totals: Balance(captured: 1_000, refunded: 9_000), summary: ["answer": 0],
                response: response)
        case 2:
            ProcessorAnswer(
                meaning: meaning, unreadableNumber: "captured_amount", summary: ["answer": 0], response: response)
        default: ProcessorAnswer(meaning: meaning, authorized: 77_777, summary: ["answer": 0], response: response)
        }
    }

    /// FORT numbers no captures: it carries out whatever the payment still permits.
    func perform(
        _ reference: String, _ operation: PaymentOperation, sending: Int, attempt: String?
    ) -> ProcessorAnswer {
        if let attempt { state.withLock { _ = $0.attempts.insert(attempt) } }
        let fate = world.chance.number(in: 0...9)
        if fate == 0 {
            decideLater(reference, operation, sending)
            return answer(.pending(reason: "on hold"))
        }
        let isDone = carryOut(reference, operation, sending: sending)
        if world.chance.happens(world.rates.feedback) { tell(of: operation, reference, isDone: isDone) }
        // Of an operation that was carried out FORT may still say that it does not know.
        return answer(
            !isDone ? .declined : fate == 1 ? .pending(reason: "technical problem") : operation.command.success)
    }

    /// It is done at FORT's dashboard, and the relay is notified in any case.
    func maintainElsewhere(_ reference: String, _ command: OperationCommand, _ amount: MinorUnits) {
        let operation = PaymentOperation(
            command: command, amount: amount, maintenanceReference: nil, idempotencyKey: "dashboard", before: Balance(),
            begunAt: world.timeline.date)
        guard carryOut(reference, operation, sending: nil) else { return }
        state.withLock { $0.entries[reference]?.wasTouchedElsewhere = true }
        tell(of: operation, reference, isDone: true)
    }

    private func carryOut(_ reference: String, _ operation: PaymentOperation, sending: Int?) -> Bool {
        let isDone = state.withLock { books in
            guard var entry = books.entries[reference], entry.standing == .charged, !entry.isVoided else {
                return false
            }
            switch operation.command {
            case .capture:
                guard let captured = entry.balance.captured.adding(operation.amount),
                    captured <= entry.request.order.amount
                else { return false }
                entry.balance.captured = captured
            case .refund:
                guard let refunded = entry.balance.refunded.adding(operation.amount), refunded <= entry.balance.captured
                else { return false }
                entry.balance.refunded = refunded
            case .voidAuthorization:
                guard entry.balance.captured == .zero else { return false }
                entry.isVoided = true
            }
            if let sending { entry.operations.append((sending, operation)) }
            books.entries[reference] = entry
            return true
        }
        world.note(
            "FORT: \(operation.command.rawValue) \(operation.amount) of \(reference): \(isDone ? "done" : "refused")")
        return isDone
    }

    /// The end of a hold is always notified: CHECK_STATUS does not show a refusal.
    private func decideLater(_ reference: String, _ operation: PaymentOperation, _ sending: Int) {
        world.note("FORT: \(operation.command.rawValue) \(operation.amount) of \(reference): on hold")
        later { [self] in
            let isDone = world.chance.happens(0.5) && carryOut(reference, operation, sending: sending)
            tell(of: operation, reference, isDone: isDone)
        }
    }

    private func later(_ decide: @escaping @Sendable () -> Void) {
        waiting.withLock { $0 += 1 }
        world.timeline.after(world.chance.duration(in: 1_000...150_000)) { [self] in
            decide()
            waiting.withLock { $0 -= 1 }
        }
    }

    /// Whether it has nothing on hold.
    var isAtRest: Bool { waiting.withLock { $0 == 0 } }

    private func tell(of operation: PaymentOperation, _ reference: String, isDone: Bool) {
        let subject = ProcessorNotification.Subject.operation(
            operation.command,
            maintenanceReference: operation.command == .refund ? operation.maintenanceReference : nil)
        let notification = ProcessorNotification(
            account: "main", merchantReference: reference, subject: subject,
            amount: operation.command == .voidAuthorization ? nil : operation.amount, currency: "AED",
            answer: answer(isDone ? operation.command.success : .declined))
        listener.withLock { $0 }?(notification)
    }

    private func tellOfCharge(_ reference: String) {
        guard world.chance.happens(world.rates.feedback), let entry = state.withLock({ $0.entries[reference] }) else {
            return
        }
        let order = entry.request.order
        let charged: ProcessorAnswer.Meaning = order.command == .purchase ? .captured : .authorized
        let notification = ProcessorNotification(
            account: "main", merchantReference: reference, subject: .charge(order.command), amount: order.amount,
            currency: order.currency,
            answer: answer(entry.standing == .charged ? charged : .declined))
        listener.withLock { $0 }?(notification)
    }

    private func settleLater(_ reference: String) {
        later { [self] in
            let standing: Standing = world.chance.happens(0.5) ? .charged : .declined
            state.withLock { $0.entries[reference]?.standing = standing }
            world.note("FORT: \(reference) is off hold: \(standing)")
            tellOfCharge(reference)
        }
    }

    private func meaning(of reference: String) -> ProcessorAnswer.Meaning {
        guard let entry = state.withLock({ $0.entries[reference] }) else { return .notFound }
        return switch entry.standing {
        case .charged where entry.isVoided: .voided
        case .charged:
            entry.balance.refunded > .zero ? .refunded : entry.balance.captured > .zero ? .captured : .authorized
        case .declined: .declined
        case .onHold: .pending(reason: "on hold")
        }
    }

    /// No two answers are alike, so that a receipt shows which one it was made of.
    private func answer(_ meaning: ProcessorAnswer.Meaning, totals: Balance? = nil) -> ProcessorAnswer {
        let number = state.withLock { books in
            books.answersGiven += 1
            return books.answersGiven
        }
        return ProcessorAnswer(meaning: meaning, totals: totals, summary: ["answer": JSON(number)], response: [:])
    }
}
