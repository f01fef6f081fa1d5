import Foundation
import TestPrograms
import Testing

/// SIGTERM to a sandbox with open connections.
@Suite struct SandboxStopTests {
    @Test(arguments: [
        "POST /FortAPI/paymentApi HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"command\":",
        "POST /FortAPI/paymentApi HTTP/1.1\r\nHost: loc", "",
    ])
    func aHalfSentRequestDoesNotDelayTheSandboxsStop(half: String) async throws {
        let sandbox = try await RunningSandbox()
        let caller = try RawConnection(port: sandbox.port)
        caller.send(half)
        // Once another client's request is answered, the sandbox has read the beginning of this request.
        #expect(try await sandbox.books().isEmpty)
        sandbox.program.signal(SIGTERM)
        // An idle connection would be closed only after a minute.
        #expect(try await sandbox.program.end(within: .seconds(50)) == 0)
        withExtendedLifetime(caller) {}
    }
}
