import Foundation
import Testing

/// A network between relay and FORT that resets, truncates, half-closes, garbles and delays.
@Suite struct FaultyNetworkTests {
    /// `PAYRELAY_NETWORK_SEED` repeats the faults of the run that printed it.
    @Test("R9, S6: resets, truncation, half-closes, garbage and delays lose no charge and make no second one")
    func aFaultyNetworkLosesNoChargeAndMakesNoSecondOne() async throws {
        let given = ProcessInfo.processInfo.environment["PAYRELAY_NETWORK_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64.max)
        let sandbox = try await RunningSandbox()
        let proxy = try FaultyProxy(to: sandbox.port, seed: seed)
        let relay = try await RunningRelay(
            sandbox: sandbox,
            [
                "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(proxy.port)/FortAPI/paymentApi",
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "1",
                // Longer than the proxy delays a request, which may reach FORT after the relay's timeout.
                "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "5",
            ])
        let answered = try await AnsweredOutcomes.byPayers(30, ordersEach: 10, at: CurrentRelay(relay))
        proxy.behave()
        try await Audit(relay: relay, note: "PAYRELAY_NETWORK_SEED=\(seed)").compare(answered)
        for kind in ConnectionFault.Kind.allCases {
            #expect(proxy.struck[kind, default: 0] > 0, "the network was too good to show anything: \(proxy.struck)")
        }
        #expect(answered.values.contains("uncertain"))
    }
}
