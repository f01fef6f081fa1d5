import FoundationEssentials
import GatewayTestParts
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI
import PortmoneSandbox
import SandboxParts
import Testing
import TokenMint

@testable import PortmoneModule

@Suite struct ScheduleTests {
    /// The amounts select these outcomes in the sandbox: paid, declined, an error, an unreadable answer, no answer, a page of
    /// the bank.
    private static let amounts = [12_550, 12_550, 12_550, 10_012, 10_006, 15_777, 10_408, 10_300]

    /// Random faults that Portmone's documents do not exclude: Portmone answers with an error and carries the request out
    /// later, captures the whole hold, or lists bills of other attempts.
    private static func faults(seed: UInt64) -> PortmoneFaultSchedule {
        // Only the first rule that strikes applies. If both rules always struck, the first would hide the second.
        let odds: [(unpaid: Double, failed: Double)] = [(0, 0), (1, 0), (0, 1), (0.3, 0.3)]
        let (unpaid, failed) = odds[Int(seed % 4)]
        return PortmoneFaultSchedule(
            seed: seed,
            [
                PortmoneFaultRule(.errorThenDone, probability: 0.2, command: .return, seconds: 60),
                PortmoneFaultRule(.errorThenDone, probability: 0.1, command: .confirmPreauth, seconds: 60),
                PortmoneFaultRule(.errorThenDone, probability: 0.1, command: .rejectPreauth, seconds: 60),
                PortmoneFaultRule(.errorThenDone, probability: 0.05, command: .aPay, seconds: 20),
                PortmoneFaultRule(.wholeHold, probability: 0.3, command: .confirmPreauth),
                PortmoneFaultRule(.unpaidBillBeside, probability: unpaid, command: .result),
                PortmoneFaultRule(.failedBillBeside, probability: failed, command: .result),
            ])
    }

    @Test("R5, R9: whatever happens to the messages, Portmone's books, the journal and the answers agree")
    func agrees() async throws {
        let finding = try await GatewaySchedule.firstFinding { try Self.schedule(seed: $0) }
        #expect(finding == nil, "\(finding ?? "")")
    }

    /// A mistake with Portmone's answers, and the words of the audit that show its consequence.
    struct Planted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sign: String
        var blocked: String?
        var plant: @Sendable (PortmoneGateway) -> PlantedPortmone = { PlantedPortmone(inner: $0) }

        static let all = [
            Planted(testDescription: "every error declines an operation", sign: "were told as done") { inner in
                PlantedPortmone(
                    inner: inner,
                    onPerform: { _, _, answer in
                        guard answer.meaning.isPending, answer.response["error_code"] ?? "0" != "0" else {
                            return answer
                        }
                        return GatewayAnswer(.declined, entry: nil, reference: nil)
                    })
            },
            Planted(testDescription: "a capture that took the whole hold settles nothing", sign: "is still") { inner in
                PlantedPortmone(
                    inner: inner,
                    onPerform: { _, operation, answer in Planted.settled(answer, operation) ? answer : Planted.nothing
                    },
                    onStatus: { payment, answer in
                        payment.openOperation.map { Planted.settled(answer, $0) } ?? true ? answer : Planted.nothing
                    })
            },
            Planted(
                testDescription: "an unpaid bill of another amount blocks settlement", sign: "is still",
                blocked: "540000001"),
            Planted(
                testDescription: "a failed bill in another currency blocks settlement", sign: "is still",
                blocked: "540000002"),
        ]

        private static let nothing = GatewayAnswer(.pending(reason: "planted"), entry: nil, reference: nil)

        /// Whether an answer about a capture shows the requested amount.
        private static func settled(_ answer: GatewayAnswer, _ operation: PaymentOperation) -> Bool {
            guard operation.command == .capture, answer.meaning == .captured, let captured = answer.captured else {
                return true
            }
            return captured == operation.after?.captured
        }
    }

    @Test("the schedule finds each planted mistake", arguments: Planted.all)
    func findsPlantedBugs(bug: Planted) async throws {
        for seed in 1...400 as ClosedRange<UInt64> {
            let finding = try await GatewaySchedule.finding(seed) { try Self.schedule(seed: $0, bug: bug) }
            if finding?.contains(bug.sign) == true { return }
        }
        Issue.record("nothing was found")
    }

    private static func schedule(seed: UInt64, bug: Planted? = nil) throws -> GatewaySchedule {
        let clock = SimulatedClock()
        let appleMerchantID = SandboxPKI.published.merchantIdentifier
        let sandbox = PortmoneSandbox(
            accounts: [
                PortmoneSandboxAccount(
                    payeeId: "1185", login: "SHOP", password: Secret("secret"),
                    appleMerchantIdentifier: appleMerchantID, currencies: [.UAH])
            ], now: { clock.now })
        sandbox.faults = faults(seed: seed)
        let network = SpoilingNetwork(seed: seed, clock: clock) { body in
            if case .answer(let bytes) = await sandbox.reply(to: body, at: .r3) { bytes } else { nil }
        }
        let account = try PortmoneAccount(
            payeeID: "1185", login: "SHOP", password: Secret("secret"), appleMerchantID: appleMerchantID,
            preauthorization: .onRequest)
        let accounts = try PortmoneAccounts([.init(name: "ua", currencies: [.UAH], account: account)])
        let transport: any GatewayTransport =
            bug?.blocked.map { BlockingTransport(inner: network, blocked: $0) as any GatewayTransport } ?? network
        let gateway = PortmoneGateway(
            clients: PortmoneClients(accounts: accounts, endpoint: .production, transport: transport),
            timeout: .seconds(20), closing: ThreeDSecureClosing(after: .seconds(120), afterUnnamed: .seconds(240)),
            unseenReturn: UnseenReturn(isFinalAfter: .seconds(240)), now: { clock.now })
        return GatewaySchedule(
            seed: seed, clock: clock, network: network,
            gateway: bug.map { $0.plant(gateway) as any Gateway } ?? gateway, account: "ua",
            currency: "UAH",
            amounts: amounts, sandbox: sandbox)
    }
}
