import ApplePayToken
import FoundationEssentials
import OutboundHTTP
import PayrelayPrimitives
import PortmoneAPI
import PortmoneSandbox
import SandboxParts
import Synchronization
import Testing
import TokenMint

@testable import PaymentRelay
@testable import PortmoneModule

/// Without a number of days, `result` shows only the last month.
@Suite struct PeriodTests {
    private static let age = Duration.seconds(35 * 86_400)

    /// The clock of the sandbox and of the gateway.
    private final class Clock: Sendable {
        private let moment = Mutex(Samples.now)

        var now: Date {
            get { moment.withLock { $0 } }
            set { moment.withLock { $0 = newValue } }
        }
    }

    private struct SandboxAlone: GatewayTransport {
        let sandbox: PortmoneSandbox

        func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
            guard case .answer(let bytes) = await sandbox.reply(to: request.body, at: .r3) else {
                return .unknown(reason: "no answer")
            }
            return .answered(OutboundAnswer(status: 200, body: bytes))
        }
    }

    /// Returns the outcome for a payment that was paid 35 days ago and is queried now.
    private func outcome(of made: (_ bill: String?) throws -> Payment) async throws -> String {
        let clock = Clock()
        let sandbox = PortmoneSandbox(
            accounts: [
                PortmoneSandboxAccount(
                    payeeId: "1185", login: "SHOP", password: Secret("CANARY-PASSWORD"),
                    appleMerchantIdentifier: "merchant.com.example", currencies: [.UAH])
            ], now: { clock.now })
        let gateway = PortmoneGateway(
            clients: PortmoneClients(
                accounts: try ScriptedPortmone.accounts(), endpoint: .production,
                transport: SandboxAlone(sandbox: sandbox)),
            timeout: .seconds(3_600), now: { clock.now })
        clock.now = Samples.now - Self.age
        let token = try PaymentToken(
            json: TokenMint().mint(TokenContents(amount: 10_000, currency: "UAH"), signedAt: clock.now))
        let charged = try await gateway.prepare(Samples.fields, account: "ua", with: token).send()
        #expect(charged.answer?.meaning == .captured, "\(charged)")
        clock.now = Samples.now
        let payment = try made(charged.answer?.reference)
        let decision = payment.apply(
            .queried(await gateway.status(of: payment), timeUncertain: .seconds(86_400)), on: .at(clock.now),
            patience: NotFoundPatience(charge: .seconds(60), operation: .seconds(3_600)))
        guard case .record(let change) = decision else { return "open" }
        return change.after.operations.last?.state.rawValue ?? change.after.state.rawValue
    }

    @Test("R10: a charge that was uncertain for more than a month is found")
    func oldCharge() async throws {
        #expect(try await outcome(of: { _ in try Samples.payment(age: Self.age) }) == "captured")
    }

    @Test("a refund of an old payment that never arrived ends as not processed")
    func oldRefund() async throws {
        let before = Balance(captured: 10_000)
        let refund = Samples.operation(.refund, 3_000, before: before, age: .seconds(4 * 86_400))
        #expect(
            try await outcome(of: {
                try Samples.payment(.captured, balance: before, operations: [refund], bill: $0, age: Self.age)
            }) == "not_processed")
    }

    @Test("the days begin before the claim, and a month earlier for an external payment")
    func days() async throws {
        let elsewhere = Payment(
            merchantReference: "ORDER-1", command: .purchase, amount: 10_000, currency: "UAH", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: Samples.now - Self.age, gateway: "portmone", account: "ua",
            state: .captured, balance: Balance(captured: 10_000))
        for (payment, start) in [
            (try Samples.payment(), "16.12.2026"), (try Samples.payment(age: Self.age), "10.12.2026"),
            (elsewhere, "09.11.2026"),
        ] {
            let portmone = ScriptedPortmone([Samples.bill("PAYED")])
            _ = try await portmone.status(of: payment)
            #expect(portmone.requests.map { $0.data["startDate"] } == [.string(start)])
            #expect(portmone.requests.map { $0.data["endDate"] } == ["16.01.2027"])
        }
        let portmone = ScriptedPortmone([Samples.bill("PAYED")])
        _ = try await portmone.gateway().status(of: "ORDER-1", account: "ua")
        #expect(portmone.requests.map { $0.data["startDate"] } == ["16.12.2026"])
    }
}
