import ApplePayToken
import JournalContract
import Logging
public import PaymentRelay
import PayrelayPrimitives
public import SandboxParts
import TestPrograms
import TokenMint

/// A relay with a gateway's module and its sandbox, over a network that corrupts messages. One seed decides everything.
/// Requests and answers pass the codecs of both sides as bytes. Nothing really waits, because the clock is simulated.
///
/// Crashes and races are left to the simulation of the core. A schedule tests a gateway's answers and their way to the relay.
public struct GatewaySchedule {
    private let clock: SimulatedClock
    private let network: SpoilingNetwork
    private let account: String
    private let currency: String
    private let amounts: [Int]
    private let relay: PaymentRelay
    private let journal = MemoryJournal()
    private let sandbox: any SandboxOnDesk
    private var generator: SeededGenerator
    private var told: [(reference: String, state: PaymentState)] = []
    private var trace: [String] = []

    /// - Parameters:
    ///   - gateway: Makes the gateway, which sends over the network and uses the clock.
    ///   - account: The merchant's name of the only account.
    ///   - amounts: Amounts in minor units of the currency, with the outcome that each selects in the sandbox.
    public init(
        seed: UInt64, clock: SimulatedClock, network: SpoilingNetwork, gateway: any Gateway, account: String,
        currency: String, amounts: [Int], sandbox: any SandboxOnDesk
    ) {
        self.clock = clock
        self.network = network
        self.account = account
        self.currency = currency
        self.amounts = amounts
        self.sandbox = sandbox
        generator = SeededGenerator(seed: ~seed)
        relay = PaymentRelay(
            // Longer than the delay of a late request, and than a charge or an operation is on hold.
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), operationNotFoundAfter: .seconds(240)),
            journal: journal, gateways: .only(gateway),
            logger: Logger(label: "schedule") { _ in SwiftLogNoOpLogHandler() }, now: { clock.now })
    }

    /// Runs a schedule for each seed, until one finds something.
    ///
    /// - Returns: The seed and the finding, or `nil` if the books, the journal and all answers to clients agreed for every
    ///   seed.
    public static func firstFinding(_ schedule: (_ seed: UInt64) throws -> GatewaySchedule) async throws -> String? {
        for seed in try SimulationSeeds.chosen(usually: 1...100) {
            if let finding = try await finding(seed, schedule) { return finding }
        }
        return nil
    }

    /// Runs the schedule of one seed.
    ///
    /// - Returns: The finding and the seed, or `nil` if there is no finding.
    public static func finding(
        _ seed: UInt64, _ schedule: (_ seed: UInt64) throws -> GatewaySchedule
    ) async throws -> String? {
        var schedule = try schedule(seed)
        let findings = try await schedule.run()
        return findings.isEmpty ? nil : "seed \(seed) found:\n\(findings.joined(separator: "\n"))"
    }

    /// Runs the schedule, and then waits until every payment has an outcome.
    ///
    /// - Returns: The findings, with the events that led to them. Empty if the books, the journal and all answers to clients
    ///   agree.
    private mutating func run() async throws -> [String] {
        let orders = try (1...number(1...3)).map { number in
            let amount = amounts[self.number(0...amounts.count - 1)]
            return (
                reference: "ORDER-\(number)", command: self.number(0...1) == 0 ? "PURCHASE" : "AUTHORIZATION",
                amount: amount,
                token: try PaymentToken(
                    json: TokenMint().mint(TokenContents(amount: amount, currency: currency), signedAt: clock.now))
            )
        }
        for _ in 0..<number(5...40) {
            let order = orders[number(0...orders.count - 1)]
            switch number(0...9) {
            case 0...2: await pay(order.reference, order.command, order.amount, order.token)
            case 3, 4: await look(at: order.reference)
            case 5...7: await operate(on: order.reference)
            default:
                clock.advance(seconds: number(1...30))
                await network.deliverLate()
            }
        }
        network.heal()
        for round in 1...400 {
            let isSettled = await !hasOpenPayments(orders.map(\.reference))
            if isSettled && round > 10 { break }
            clock.advance(seconds: 30)
            await network.deliverLate()
            for order in orders { await look(at: order.reference) }
        }
        var findings: [String] = []
        let books = await sandbox.newestOrders(limit: 100)
        for order in orders {
            findings += await audit(order.reference, books.filter { $0.merchantReference == order.reference })
        }
        return findings.isEmpty ? [] : findings + ["its course:"] + trace
    }

    private func hasOpenPayments(_ references: [String]) async -> Bool {
        for reference in references where await journal.payment(reference)?.isOpen == true { return true }
        return false
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func pay(_ reference: String, _ command: String, _ amount: Int, _ token: PaymentToken) async {
        let fields = [
            "account": account, "merchant_reference": reference, "amount": "\(amount)", "currency": currency,
            "command": command, "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
        ]
        do {
            let request = PaymentRequest(
                try relay.gateways.prepare(fields, with: token),
                fingerprint: RequestFingerprint(fields: fields, token: token.digest), identifier: "pay")
            let state = try await relay.pay(request).payment.state
            tell(reference, state, "pay")
        } catch {
            trace.append("\(reference) pay: \(error)")
        }
    }

    private mutating func look(at reference: String) async {
        do {
            guard let payment = try await relay.sync(reference) else { return }
            tell(reference, payment.state, "sync")
        } catch {
            trace.append("\(reference) sync: \(error)")
        }
    }

    private mutating func operate(on reference: String) async {
        let command = OperationCommand.allCases[number(0...OperationCommand.allCases.count - 1)]
        let part = command == .voidAuthorization || number(0...1) == 0 ? nil : MinorUnits(number(1...6) * 1_000)
        let key = "\(command.rawValue) \(number(1...4))"
        do {
            let operation = try await relay.perform(
                OperationRequest(
                    merchantReference: reference, command: command, amount: part, idempotencyKey: key, identifier: "do")
            ).operation
            trace.append("\(reference) \(key), \(operation.amount): \(operation.state.rawValue)")
        } catch {
            trace.append("\(reference) \(key): \(error)")
        }
    }

    private mutating func tell(_ reference: String, _ state: PaymentState, _ what: String) {
        if trace.last != "\(reference) \(what): \(state.rawValue)" {
            trace.append("\(reference) \(what): \(state.rawValue)")
        }
        told.append((reference, state))
    }

    /// Finds operations that were reported as not done although they were. A client may request such an operation again, and
    /// the customer would get or pay the money twice. No other party captures or refunds in a schedule.
    private func operationsTold(_ payment: Payment, captured: Int, refunded: Int) -> [String] {
        func done(_ command: OperationCommand) -> [PaymentOperation] {
            payment.operations.filter { $0.command == command && $0.state == .done }
        }
        let returned = done(.refund).reduce(0) { $0 + $1.amount.value }
        var findings: [String] = []
        if returned != refunded {
            findings.append(
                "\(payment.merchantReference): refunds of \(returned) were told as done, and \(refunded) were refunded")
        }
        let isHeld = payment.command == .authorization
        if isHeld, (captured > 0) == done(.capture).isEmpty {
            findings.append(
                "\(payment.merchantReference): \(done(.capture).count) captures were told as done, and \(captured) was captured"
            )
        }
        return findings
    }

    private func audit(_ reference: String, _ booked: [OrderOnDesk]) async -> [String] {
        let charged = booked.filter(\.isCharged)
        guard let payment = await journal.payment(reference) else {
            return booked.isEmpty ? [] : ["\(reference) is in the books, and not in the journal"]
        }
        var findings: [String] = []
        if charged.count > 1 { findings.append("\(reference) was charged \(charged.count) times") }
        if payment.isOpen {
            let reason = try? await relay.queriesWithoutChange(of: reference).last?.reason
            findings.append("\(reference), \(payment.amount), is still \(payment.state.rawValue): \(reason ?? "")")
        }
        let (captured, refunded) = charged.reduce((0, 0)) { ($0.0 + $1.captured, $0.1 + $1.refunded) }
        if payment.balance.captured.value != captured || payment.balance.refunded.value != refunded {
            findings.append("\(reference) has \(payment.balance), and the books \(captured) and \(refunded)")
        }
        findings += operationsTold(payment, captured: captured, refunded: refunded)
        let isVoided = charged.contains(where: \.isVoided)
        if (payment.state == .voided) != isVoided {
            findings.append(
                "\(reference) is \(payment.state.rawValue), and in the books \(isVoided ? "" : "not ")voided")
        }
        let tellsOfMoney: Set<PaymentState> = [
            .authorized, .partiallyCaptured, .captured, .voided, .partiallyRefunded, .refunded,
        ]
        for state in told.filter({ $0.reference == reference }).map(\.state) where !state.isOpen && state != .notSent {
            if tellsOfMoney.contains(state) != !charged.isEmpty {
                findings.append("\(reference) was told as \(state.rawValue), and was charged \(charged.count) times")
                break
            }
        }
        return findings
    }
}
