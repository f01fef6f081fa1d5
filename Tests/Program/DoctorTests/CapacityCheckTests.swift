import GatewayModule
import Testing

@testable import payrelay

@Suite struct CapacityCheckTests {
    @Test("the doctor says how many payments a second a limit lets through")
    func saysWhatALimitLetsThrough() {
        let diagnostic = CapacityCheck(gateway: "fort", requestsInFlight: 3_000, memory: 8 << 30).diagnostic
        #expect(diagnostic.verdict == .pass)
        #expect(diagnostic.detail.contains("2000 payments a second if it takes 1.5 seconds, 300 if it takes 10"))
        #expect(diagnostic.detail.contains("351 MiB of 8192"))
    }

    @Test("a limit that needs more than half of the memory is an error")
    func refusesMoreThanHalfOfTheMemory() {
        let diagnostic = CapacityCheck(gateway: "fort", requestsInFlight: 20_000, memory: 1 << 30).diagnostic
        #expect(diagnostic.verdict == .fail)
        #expect(diagnostic.advice?.contains("PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX") == true)
    }

    @Test(
        "the lower of the group's limit and the machine's memory counts",
        arguments: [
            ("536870912\n", "MemTotal:       24600000 kB\nMemFree: 1 kB\n", 536_870_912),
            ("max\n", "MemTotal:       2048 kB\n", 2_097_152),
            // A group without a limit, in version 1 of control groups.
            ("9223372036854771712", "MemTotal: 2048 kB", 2_097_152),
            ("0", "MemTotal: 2048 kB", 2_097_152),
        ])
    func readsTheLowerOfBoth(group: String, machine: String, bytes: Int) {
        #expect(MemoryLimit(group: group, machine: machine).bytes == bytes)
    }

    @Test(
        "an unreadable file is not taken for a limit",
        arguments: [
            "", "MemTotal: 99999999999999999999 kB", "MemTotal: 9223372036854775807 kB", "MemTotal: -1 kB", "MemTotal:",
        ])
    func takesNoNonsense(machine: String) {
        #expect(MemoryLimit(group: nil, machine: machine).bytes == nil)
    }
}
