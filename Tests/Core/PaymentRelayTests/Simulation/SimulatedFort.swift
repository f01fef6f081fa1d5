import Crypto
import JournalContract
import PayrelayPrimitives
import Synchronization

@testable import PaymentRelay

/// A simulated FORT. It keeps the books of all charges by reference, and refuses a reference that it knows.
final class SimulatedFort: Sendable {
    /// A charge request as it left the relay.
    struct ChargeRequest: Sendable {
        /// The number of the sending. Each time the relay sends a request the number is new; copies that the network makes have
        /// the same number.
        let sending: Int
        /// The caller's attempt for which the request was sent.
        let attempt: String?
        let order: Order
        let token: SHA256Digest?
    }

    enum Standing: Sendable {
        case charged, declined, onHold
    }

    struct Entry: Sendable {
        let request: ChargeRequest
        var standing: Standing
        /// FORT's number of the charge.
        let identifier: String
        /// FORT's number of another charge with the same reference.
        var secondCharge: String?
        /// Whether the payment is external: paid with FORT itself, and not through the relay.
        var wasMadeElsewhere = false
        /// Whether an earlier attempt with the reference was declined.
        var isSecondTry = false
        /// FORT's numbers of the earlier attempts, all of them declined.
        var declinedBefore: [String] = []
        var balance = Balance()
        var isVoided = false
        /// The operations that were carried out, in order.
        var operations: [(sending: Int, operation: PaymentOperation)] = []
        /// Whether FORT's dashboard was used for the order.
        var wasTouchedElsewhere = false
        /// Whether FORT answers about the order with an inconclusive code, until something else is done with the order.
        var hasCodeWithoutEnd = false
        /// The status that FORT reports since it took the success back.
        var takenBack: GatewayAnswer.Meaning?

        /// The totals before the last operation but one. The last operation was sent only after the one before it was known to
        /// have ended, so the relay has proof of more.
        var staleTotals: Balance? {
            guard operations.count >= 2, !wasTouchedElsewhere, takenBack == nil else { return nil }
            let operation = operations[operations.count - 2].operation
            return operation.command == .voidAuthorization ? nil : operation.before
        }

        /// The captured and refunded amounts, if the charge itself stands.
        var balanceThatStands: Balance { standing == .charged ? balance : Balance() }
    }

    struct Books: Sendable {
        var entries: [String: Entry] = [:]
        /// The sendings that arrived, by reference.
        var sendings: [String: Set<Int>] = [:]
        /// The callers' attempts that arrived.
        var attempts: Set<String> = []
        var answersGiven = 0
        var identifiersGiven = 0
        /// The captured and refunded amounts when an operation was refused, by the operation's identifier.
        var refusals: [String: Balance] = [:]

        mutating func identifier() -> String {
            identifiersGiven += 1
            return "fort-\(identifiersGiven)"
        }
    }

    private let state = Mutex(Books())
    private let waiting = Mutex(0)
    private let listener = Mutex<(@Sendable (GatewayHint) -> Void)?>(nil)
    private let world: SimulatedWorld

    init(world: SimulatedWorld) {
        self.world = world
    }

    var books: Books { state.withLock { $0 } }

    /// Sets the listener to which feedback about changes is sent.
    func tell(_ listener: @escaping @Sendable (GatewayHint) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    func charge(_ request: ChargeRequest) -> GatewayAnswer {
        let reference = request.order.merchantReference
        let isNew = state.withLock { books in
            books.sendings[reference, default: []].insert(request.sending)
            if let attempt = request.attempt { books.attempts.insert(attempt) }
            return books.entries[reference] == nil
        }
        let isSecondTry = !isNew && isOpenToSecondTry(reference)
        guard isNew || isSecondTry else {
            world.note("FORT: \(reference) again, by sending \(request.sending)")
            return answer(.duplicate, about: reference)
        }
        let fate = world.chance.number(in: 0...9)
        let standing: Standing = fate < 6 ? .charged : fate < 8 ? .declined : .onHold
        let captured: MinorUnits = request.order.command == .purchase ? request.order.amount : .zero
        // A hold with a code that never changes could not be distinguished from no hold.
        let hasCodeWithoutEnd =
            (standing == .declined || standing == .charged && request.order.command == .purchase)
            && world.strikes(\.codeWithoutEnd)
        state.withLock { books in
            var entry = Entry(
                request: request, standing: standing, identifier: books.identifier(), isSecondTry: isSecondTry,
                balance: Balance(captured: captured))
            entry.hasCodeWithoutEnd = hasCodeWithoutEnd
            entry.declinedBefore = books.entries[reference].map { $0.declinedBefore + [$0.identifier] } ?? []
            books.entries[reference] = entry
        }
        if hasCodeWithoutEnd { world.note("FORT: \(reference) has a code without an end") }
        world.note(
            "FORT: \(reference), sending \(request.sending), attempt \(request.attempt ?? "?"): \(standing)"
                + (isSecondTry ? ", a second try" : ""))
        if standing == .onHold { settleLater(reference) } else { tellOfCharge(reference, always: isSecondTry) }
        // FORT may answer about a charge that was made that it does not know yet.
        return answer(fate == 0 ? .pending(reason: "technical problem") : meaning(of: reference), about: reference)
    }

    /// Whether FORT takes a second attempt with a reference whose first attempt it declined, for example a copy that the
    /// network made.
    private func isOpenToSecondTry(_ reference: String) -> Bool {
        state.withLock { $0.entries[reference]?.standing == .declined } && world.chance.happens(world.rates.secondTry)
    }

    /// Makes an external payment: the merchant's app pays with FORT's SDK, without the relay.
    func payElsewhere(_ order: Order) {
        let reference = order.merchantReference
        let isNew = state.withLock { books in
            guard books.entries[reference] == nil else { return false }
            books.entries[reference] = Entry(
                request: ChargeRequest(sending: 0, attempt: nil, order: order, token: nil), standing: .charged,
                identifier: books.identifier(), wasMadeElsewhere: true,
                balance: Balance(captured: order.command == .purchase ? order.amount : .zero))
            return true
        }
        guard isNew else { return }
        world.note("FORT: \(reference) is paid elsewhere")
        tellOfCharge(reference, always: true)
    }

    /// Charges a second time with a reference that was charged before.
    func chargeAgain(_ reference: String) {
        let second = state.withLock { books -> String? in
            guard let entry = books.entries[reference], entry.standing == .charged, !entry.isVoided,
                entry.secondCharge == nil
            else { return nil }
            let second = books.identifier()
            books.entries[reference]?.secondCharge = second
            return second
        }
        guard let second else { return }
        world.note("FORT: \(reference) has a second charge, \(second)")
        listener.withLock { $0 }?(
            GatewayHint(
                account: "main", merchantReference: reference, subject: .charge(.purchase), statement: .captured,
                amount: 10_000, currency: "AED", gatewayReference: second))
    }

    /// - Parameters:
    ///   - aboutSecondCharge: Whether FORT answers about the second charge with the reference, if there is one.
    ///   - isKnown: Whether the relay knows the payment. If it does not, it could not tell that an answer is senseless.
    func status(of reference: String, aboutSecondCharge: Bool, isKnown: Bool = true) -> GatewayAnswer {
        if aboutSecondCharge, let second = state.withLock({ $0.entries[reference]?.secondCharge }) {
            world.note("FORT: asked about \(reference): its second charge")
            return answer(.captured, totals: Balance(captured: 10_000), identifier: second)
        }
        let found = meaning(of: reference)
        world.note("FORT: asked about \(reference): \(found)")
        if isKnown, world.strikes(\.answerSenseless) { return senseless(about: reference) }
        if isKnown, let contrary = contrary(found, reference) { return contrary }
        return answer(found, totals: totals(of: reference), about: reference)
    }

    private func totals(of reference: String) -> Balance? {
        state.withLock { books in
            guard let entry = books.entries[reference] else { return nil }
            switch entry.takenBack {
            case nil: return entry.balanceThatStands
            case .captured: return Balance(captured: 4_000)
            case .notFound: return nil
            default: return Balance()
            }
        }
    }

    /// Takes a success back, and sends feedback about it. FORT's books stay as they are.
    func takeBack(_ reference: String) {
        let meanings: [GatewayAnswer.Meaning] = [.declined, .voided, .notFound, .captured]
        let meaning = meanings[world.chance.number(in: 0...meanings.count - 1)]
        state.withLock { $0.entries[reference]?.takenBack = meaning }
        world.note("FORT: \(reference) is taken back: \(meaning)")
        listener.withLock { $0 }?(
            GatewayHint(
                account: "main", merchantReference: reference, subject: .charge(.purchase), statement: .declined,
                amount: 10_000, currency: "AED", gatewayReference: nil))
    }

    /// Returns an answer whose status contradicts its totals, an answer without totals, or one with old totals; `nil` if the
    /// answer is to be correct. A fault without an end would keep the simulation from coming to rest. Old totals go on until
    /// the waiting time of operations is over, because only then could they end an operation.
    private func contrary(_ found: GatewayAnswer.Meaning, _ reference: String) -> GatewayAnswer? {
        guard let entry = state.withLock({ $0.entries[reference] }), entry.standing == .charged, entry.takenBack == nil
        else { return nil }
        if entry.balance.captured > .zero, world.strikes(\.statusContrary) {
            let opinions: [GatewayAnswer.Meaning] = [
                .declined, .authorized, .captured, .duplicate, .pending(reason: "technical problem"),
            ]
            let opinion = opinions[world.chance.number(in: 0...opinions.count - 1)]
            world.note("FORT: says \(opinion) of \(reference), contrary to its totals")
            return answer(opinion, totals: entry.balance, about: reference)
        }
        if world.strikes(\.totalsMissing) {
            world.note("FORT: says no amount of \(reference)")
            return answer(found, about: reference, isWithoutAmounts: true)
        }
        if let stale = entry.staleTotals, world.timeline.now < world.faultsEnd + .seconds(900),
            world.chance.happens(world.rates.totalsStale)
        {
            world.note("FORT: has old totals of \(reference)")
            return answer(found == .voided ? .voided : .captured, totals: stale, about: reference)
        }
        return nil
    }

    /// Answers only about the charge with this number.
    func status(of reference: String, charge identifier: String) -> GatewayAnswer {
        let entry = state.withLock { $0.entries[reference] }
        if let entry, entry.declinedBefore.contains(identifier) {
            world.note("FORT: asked about \(reference), \(identifier): an earlier attempt was declined")
            return answer(.declined, totals: Balance(), identifier: identifier)
        }
        guard let entry, [entry.identifier, entry.secondCharge].contains(identifier) else {
            world.note("FORT: asked about \(reference), \(identifier): there is none")
            return GatewayAnswer(meaning: .notFound, reference: identifier, summary: [:], response: [:])
        }
        return status(of: reference, aboutSecondCharge: identifier == entry.secondCharge)
    }

    /// Returns an answer that FORT would never give about this order: more than the order's amount, more refunded than
    /// captured, a number that cannot be read, or another order's amount.
    private func senseless(about reference: String) -> GatewayAnswer {
        let meanings: [GatewayAnswer.Meaning] = [.authorized, .captured, .refunded]
        let meaning = meanings[world.chance.number(in: 0...2)]
        let kind = world.chance.number(in: 0...3)
        world.note("FORT: answers senselessly about \(reference), \(meaning), \(kind)")
        let response: JSONObject = [:]
        return switch kind {
        case 0:
            GatewayAnswer(
                meaning: meaning, totals: Balance(captured: 9_999_999_999), summary: ["answer": 0], response: response)
        case 1:
            GatewayAnswer(
                meaning: meaning, totals: Balance(captured: 1_000, refunded: 9_000), summary: ["answer": 0],
                response: response)
        case 2:
            GatewayAnswer(
                meaning: meaning, unreadableNumber: "captured_amount", summary: ["answer": 0], response: response)
        default: GatewayAnswer(meaning: meaning, authorized: 77_777, summary: ["answer": 0], response: response)
        }
    }

    /// Carries out whatever the payment still permits. FORT does not number captures.
    func perform(
        _ reference: String, _ operation: PaymentOperation, sending: Int, attempt: String?
    ) -> GatewayAnswer {
        if let attempt { state.withLock { _ = $0.attempts.insert(attempt) } }
        let fate = world.chance.number(in: 0...9)
        if fate == 0 {
            decideLater(reference, operation, sending)
            return answer(.pending(reason: "on hold"), about: reference)
        }
        // A void with a code that never changes could not be distinguished from no void, because it moves no money.
        if operation.command != .voidAuthorization, world.strikes(\.codeWithoutEnd),
            state.withLock({ $0.entries[reference]?.standing == .charged && $0.entries[reference]?.isVoided == false })
        {
            state.withLock { $0.entries[reference]?.hasCodeWithoutEnd = true }
            world.note("FORT: \(operation.command.rawValue) of \(reference) has a code without an end")
            return answer(.pending(reason: "07006"), about: reference)
        }
        let isDone = carryOut(reference, operation, sending: sending)
        if !isDone {
            state.withLock {
                $0.refusals[operation.identifier] = $0.entries[reference]?.balanceThatStands
            }
        }
        if world.chance.happens(world.rates.feedback) { tell(of: operation, reference, isDone: isDone) }
        // FORT may answer about an operation that was carried out that it does not know yet.
        return answer(
            !isDone ? .declined : fate == 1 ? .pending(reason: "technical problem") : operation.command.success,
            about: reference, isNotAllowed: !isDone)
    }

    /// Carries out an operation in FORT's dashboard. FORT sends feedback in any case.
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
            entry.hasCodeWithoutEnd = false
            books.entries[reference] = entry
            return true
        }
        world.note(
            "FORT: \(operation.command.rawValue) \(operation.amount) of \(reference): \(isDone ? "done" : "refused")")
        return isDone
    }

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

    /// Whether FORT has nothing on hold.
    var isAtRest: Bool { waiting.withLock { $0 == 0 } }

    private func tell(of operation: PaymentOperation, _ reference: String, isDone: Bool) {
        listener.withLock { $0 }?(
            GatewayHint(
                account: "main", merchantReference: reference, subject: .operation(operation.command),
                statement: isDone ? operation.command.successStatement : .declined,
                amount: operation.command == .voidAuthorization ? nil : operation.amount, currency: "AED",
                gatewayReference: state.withLock { $0.entries[reference]?.identifier }))
    }

    private func tellOfCharge(_ reference: String, always: Bool = false) {
        let isTold = world.chance.happens(world.rates.feedback)
        guard always || isTold, let entry = state.withLock({ $0.entries[reference] }) else { return }
        let order = entry.request.order
        let charged: GatewayHint.Statement = order.command == .purchase ? .captured : .authorized
        listener.withLock { $0 }?(
            GatewayHint(
                account: "main", merchantReference: reference, subject: .charge(order.command),
                statement: entry.standing == .charged ? charged : .declined, amount: order.amount,
                currency: order.currency, gatewayReference: entry.identifier))
    }

    private func settleLater(_ reference: String) {
        later { [self] in
            let standing: Standing = world.chance.happens(0.5) ? .charged : .declined
            let isSecondTry = state.withLock { books in
                books.entries[reference]?.standing = standing
                return books.entries[reference]?.isSecondTry ?? false
            }
            world.note("FORT: \(reference) is off hold: \(standing)")
            tellOfCharge(reference, always: isSecondTry)
        }
    }

    private func meaning(of reference: String) -> GatewayAnswer.Meaning {
        guard let entry = state.withLock({ $0.entries[reference] }) else { return .notFound }
        if let takenBack = entry.takenBack { return takenBack }
        if entry.hasCodeWithoutEnd { return .pending(reason: "13006") }
        return switch entry.standing {
        case .charged where entry.isVoided: .voided
        case .charged:
            entry.balance.refunded > .zero ? .refunded : entry.balance.captured > .zero ? .captured : .authorized
        case .declined: .declined
        case .onHold: .pending(reason: "on hold")
        }
    }

    /// Returns an answer. No two answers are alike, so a receipt shows from which answer it was made.
    ///
    /// - Parameters:
    ///   - reference: The reference of the charge that the answer is about, if there is one.
    ///   - identifier: The number of the charge that the answer is about, if it is the second charge.
    private func answer(
        _ meaning: GatewayAnswer.Meaning, totals: Balance? = nil, about reference: String? = nil,
        identifier: String? = nil, isNotAllowed: Bool = false, isWithoutAmounts: Bool = false
    ) -> GatewayAnswer {
        let (number, entry) = state.withLock { books in
            books.answersGiven += 1
            return (books.answersGiven, reference.flatMap { books.entries[$0] })
        }
        var summary: JSONObject = ["answer": JSON(number)]
        let known = identifier ?? entry?.identifier
        summary["fort_id"] = known.map { .string($0) }
        let authorized: MinorUnits? = entry.map { $0.standing == .charged ? $0.request.order.amount : .zero }
        return GatewayAnswer(
            meaning: meaning, authorized: identifier == nil && !isWithoutAmounts ? authorized : nil,
            captured: totals?.captured, totals: totals, isStillDeciding: entry?.standing == .onHold,
            isNotAllowed: isNotAllowed, reference: known, summary: summary, response: [:])
    }
}

extension OperationCommand {
    /// The statement of a hint about an operation that was done.
    var successStatement: GatewayHint.Statement {
        switch self {
        case .capture: .captured
        case .voidAuthorization: .voided
        case .refund: .refunded
        }
    }
}
