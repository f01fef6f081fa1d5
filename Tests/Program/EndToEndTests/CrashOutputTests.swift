import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// A relay that crashes with a payment in its memory prints no data of the payment.
@Suite struct CrashOutputTests {
    private static let signals = [SIGSEGV, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGTRAP, SIGQUIT]

    @Test("S1: a crash prints no registers and no memory", arguments: signals)
    func aCrashPrintsNoRegistersAndNoMemory(signal: Int32) async throws {
        let fort = try AnsweringFort.silent()
        let phrase = "CANARY-PHRASE-\(UUID().uuidString)"
        let relay = try await RunningRelay(fort.settings.merging(["PAYRELAY_FORT_REQUEST_PHRASE": phrase]) { $1 })
        try await relay.waitUntilVerified()
        let body = try Orders.body()
        async let unanswered = try? relay.pay(body.json)
        try await relay.program.wait(for: "the charge") {
            try await relay.metric("payrelay_http_requests_under_way") == 1
        }
        relay.program.signal(signal)
        #expect(try await relay.program.end() == -signal)
        #expect(await unanswered == nil)
        let text = relay.program.text
        let token = String(decoding: (body["token"] ?? .null).encoded(), as: UTF8.self)
        for canary in [phrase, String(token.prefix(40)), "sara@example.com", "Registers", "rsp", "0x", "Backtracing"] {
            #expect(!text.contains(canary), "\(canary):\n\(text)")
        }
    }
}
