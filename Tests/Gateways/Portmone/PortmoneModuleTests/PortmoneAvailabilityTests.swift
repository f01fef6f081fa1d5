import GatewayModule
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI
import RelayServer
import Testing

@testable import PortmoneModule

/// Portmone signs nothing. A list of bills is the proof that Portmone accepted the login and the payee.
@Suite struct PortmoneAvailabilityTests {
    @Test(
        "S6: an account is chargeable after a list of bills, and not after an error, nothing, or a page of something else",
        arguments: [
            ([], true), (["errorCode": "1", "error": "wrong login"], false), (nil, false), ([:], false),
            (["result": ["errorCode": "7", "error": "no such payee"]], false), ("<html>", false),
        ] as [(JSON?, Bool)])
    func verified(answer: JSON?, isVerified: Bool) async throws {
        let accounts = try ScriptedPortmone.accounts()
        let watch = AvailabilityWatch(of: "Portmone", accounts: accounts.entries.map(\.name))
        let portmone = ScriptedPortmone(answer)
        let client = PortmoneClient(
            account: accounts.entries[0].account, endpoint: .production, transport: portmone
        ) { watch.observe($0, of: accounts, isProbe: true) }
        let probe = AccountProbe(watch) { _ in
            _ = await client.send(ResultRequest.probe(), timeout: .seconds(1))
        }
        let unverified = await probe.whyUnverified("ua")
        #expect((unverified == nil) == isVerified, "\(unverified?.reason ?? "")")
        #expect(watch.all.map { $0.whyNotCharged == nil } == [isVerified, false])
        #expect(unverified?.reason.contains("CANARY") != true)
    }
}
