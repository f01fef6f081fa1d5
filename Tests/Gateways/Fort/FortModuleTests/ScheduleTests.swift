import FortAPI
import FortModule
import FortSandbox
import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Testing

@Suite struct ScheduleTests {
    /// The amounts select these outcomes in the sandbox: charged, declined, on hold, an inconclusive response, no answer.
    private static let amounts = [12_550, 12_550, 12_550, 10_012, 10_020, 15_777, 10_408]

    @Test("R5, R9: whatever happens to the messages, FORT's sandbox, the journal and the answers agree")
    func agrees() async throws {
        let finding = try await GatewaySchedule.firstFinding(Self.schedule)
        #expect(finding == nil, "\(finding ?? "")")
    }

    private static func schedule(seed: UInt64) throws -> GatewaySchedule {
        let clock = SimulatedClock()
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("request"),
            responsePhrase: Secret("response"))
        let sandbox = FortSandbox(accounts: FortAccounts(account), now: { clock.now })
        let network = SpoilingNetwork(seed: seed, clock: clock) { body in
            if case .answer(let bytes) = await sandbox.reply(to: body) { bytes } else { nil }
        }
        let gateway = FortGateway(
            clients: FortClients(accounts: FortAccounts(account), endpoint: .fortTest, transport: network),
            timeout: .seconds(20))
        return GatewaySchedule(
            seed: seed, clock: clock, network: network, gateway: gateway, account: "default", currency: "AED",
            amounts: amounts, sandbox: sandbox)
    }
}
