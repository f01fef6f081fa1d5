import Foundation
import Testing

@testable import GatewayModule

@Suite struct ClockCheckTests {
    private let sent = Date(timeIntervalSince1970: 784_111_777)

    @Test("The clock is compared with the server's Date, either way")
    func differences() {
        func verdict(_ difference: Double) -> Diagnostic.Verdict {
            ClockCheck.diagnostic(date: "Sun, 06 Nov 1994 08:49:37 GMT", received: sent + difference).verdict
        }
        #expect(verdict(0) == .pass)
        #expect(verdict(30) == .pass)
        #expect(verdict(-30) == .pass)
        #expect(verdict(31) == .fail)
        #expect(verdict(-86_400) == .fail)
    }

    @Test(
        "A Date header that is not a date is ignored",
        arguments: [
            nil, "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 25:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "a b c d e GMT",
        ])
    func noDate(_ text: String?) {
        #expect(ClockCheck.diagnostic(date: text, received: sent).verdict == .unknown)
    }
}
