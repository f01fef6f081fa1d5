import FoundationEssentials
import GatewaySchedule
import OutboundHTTP
import PayrelayPrimitives
import PortmoneAPI
import PortmoneSandbox
import SandboxParts
import Testing
import TokenMint

@testable import PortmoneModule

@Suite struct ScheduleTests {
    /// What the sandbox makes of each: paid, declined, an error, nothing that can be read, no answer, a page of the bank's.
    private static let amounts = [12_550, 12_550, 12_550, 10_012, 10_006, 15_777, 10_408, 10_300]

    @Test("R5, R9: whatever becomes of what is said, Portmone's books, the journal and the answers agree")
    func agrees() async throws {
        let finding = try await GatewaySchedule.firstFinding(Self.schedule)
        #expect(finding == nil, "\(finding ?? "")")
    }

    private static func schedule(seed: UInt64) throws -> GatewaySchedule {
        let clock = SimulatedClock()
        let appleMerchantID = SandboxPKI.published.merchantIdentifier
        let sandbox = PortmoneSandbox(
            accounts: [
                PortmoneSandboxAccount(
                    payeeId: "1185", login: "SHOP", password: Secret("secret"),
                    appleMerchantIdentifier: appleMerchantID, currencies: [.UAH])
            ], now: { clock.now })
        let network = SpoilingNetwork(seed: seed, clock: clock) { body in
            if case .answer(let bytes) = await sandbox.reply(to: body, at: .r3) { bytes } else { nil }
        }
        let account = try PortmoneAccount(
            payeeID: "1185", login: "SHOP", password: Secret("secret"), appleMerchantID: appleMerchantID,
            preauthorization: .onRequest)
        let accounts = try PortmoneAccounts([.init(name: "ua", currencies: [.UAH], account: account)])
        let processor = PortmoneProcessor(
            clients: PortmoneClients(accounts: accounts, endpoint: .production, transport: network),
            timeout: .seconds(20), closing: ThreeDSecureClosing(after: .seconds(120), afterUnnamed: .seconds(240)),
            unseenReturn: UnseenReturn(isFinalAfter: .seconds(240)), now: { clock.now })
        return GatewaySchedule(
            seed: seed, clock: clock, network: network, processor: processor, account: "ua", currency: "UAH",
            amounts: amounts, sandbox: sandbox)
    }
}
