import Foundation
import Testing

/// A network between relay and gateway that resets, truncates, half-closes, garbles and delays.
@Suite struct FaultyNetworkTests {
    /// `PAYRELAY_NETWORK_SEED` repeats the faults of the run that printed it.
    @Test(
        "R9, S6: resets, truncation, half-closes, garbage and delays lose no charge and make no second one",
        arguments: TestedGateway.allCases)
    func aFaultyNetworkLosesNoChargeAndMakesNoSecondOne(at gateway: TestedGateway) async throws {
        let given = ProcessInfo.processInfo.environment["PAYRELAY_NETWORK_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64.max)
        let sandbox = try await RunningSandbox()
        // Portmone signs nothing. TLS turns a changed byte into a broken connection, which the other faults already are.
        let kinds = ConnectionFault.Kind.allCases.filter { gateway == .fort || $0 != .garble }
        let proxy = try FaultyProxy(to: sandbox.port, seed: seed, kinds: kinds)
        let relay = try await RunningRelay(
            sandbox: sandbox, gateways: [gateway],
            [
                "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(proxy.port)/FortAPI/paymentApi",
                "PAYRELAY_PORTMONE_ENDPOINT": "http://127.0.0.1:\(proxy.port)/r3/api/gateway/",
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "1", "PAYRELAY_PORTMONE_TIMEOUT_SECONDS": "1",
                // This is longer than the proxy's delay, with which a request may reach FORT after the relay's timeout.
                "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "5",
            ])
        let answered = try await AnsweredOutcomes.byPayers(
            30, ordersEach: 10, over: [gateway], at: CurrentRelay(relay))
        proxy.behave()
        try await Audit(relay: relay, note: "PAYRELAY_NETWORK_SEED=\(seed)").compare(answered)
        for kind in kinds {
            #expect(proxy.struck[kind, default: 0] > 0, "the network was too good to show anything: \(proxy.struck)")
        }
        #expect(answered.values.contains("uncertain"))
    }
}
