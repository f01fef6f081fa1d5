import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Secrets at the start, and the errors of a failed start.
@Suite struct StartUpTests {
    @Test("S11: a secret comes from a file")
    func aSecretComesFromAFile() async throws {
        let folder = try TemporaryFolder()
        let sandbox = try await RunningSandbox()
        let phrase = try #require(sandbox.settings["PAYRELAY_FORT_REQUEST_PHRASE"])
        let file = try folder.file("phrase", phrase + "\n")
        // An empty variable counts as not set. The sandbox would refuse a wrong signature.
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_REQUEST_PHRASE": "", "PAYRELAY_FORT_REQUEST_PHRASE_FILE": file,
        ])
        #expect(try await relay.pay(try Orders.body().json).outcome == "captured")
    }

    @Test("S11: a secret that is set twice stops the start")
    func aSecretThatIsSetTwiceIsRefused() async throws {
        let (status, text) = try await RunningProgram.run(
            ["serve"],
            environment: [
                "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
                "PAYRELAY_FORT_REQUEST_PHRASE": "CANARY", "PAYRELAY_FORT_REQUEST_PHRASE_FILE": "/dev/null",
                "PAYRELAY_FORT_RESPONSE_PHRASE": "CANARY",
            ])
        #expect(status == 78)
        #expect(text.contains("PAYRELAY_FORT_REQUEST_PHRASE and PAYRELAY_FORT_REQUEST_PHRASE_FILE are both set"))
        #expect(!text.contains("CANARY"))
    }

    @Test func everythingThatIsMissingOrWrongIsNamedAtOnce() async throws {
        let (status, text) = try await RunningProgram.run(
            ["serve"],
            environment: ["PAYRELAY_HTTP_PORT": "65536", "PAYRELAY_HTTP_HOST": "0.0.0.0", "PAYRELAY_TYPO": "x"])
        #expect(status == 78)
        for name in [
            "PAYRELAY_HTTP_PORT", "PAYRELAY_HTTP_HOST", "PAYRELAY_TYPO", "PAYRELAY_FORT_ACCESS_CODE",
            "PAYRELAY_FORT_MERCHANT_IDENTIFIER", "PAYRELAY_FORT_REQUEST_PHRASE", "PAYRELAY_FORT_RESPONSE_PHRASE",
        ] { #expect(text.contains("  - \(name) ")) }
    }

    @Test func aPortThatIsInUseIsNamed() async throws {
        let relay = try await RunningRelay()
        let settings = relay.sandbox.settings.merging([
            "PAYRELAY_HTTP_PORT": "\(relay.port)", "PAYRELAY_ADMIN_PORT": "0",
            "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": Project.url("certs/sandbox/root-ca.pem").path,
            "PAYRELAY_JOURNAL": "memory:",
        ]) { $1 }
        let (status, text) = try await RunningProgram.run(["serve"], environment: settings)
        #expect(status == 1)
        #expect(text.contains("cannot listen at 127.0.0.1:\(relay.port)"))
        #expect(text.contains("another program uses this port"))
    }

    @Test(
        "A sandbox names the port that is in use, and the option that chooses another",
        arguments: [["sandbox", "--port"], ["dev", "--port", "0", "--admin-port", "0", "--sandbox-port"]])
    func aSandboxesPortThatIsInUseIsNamed(command: [String]) async throws {
        let taken = try LoopbackSocket.silentServer()
        let (status, text) = try await RunningProgram.run(command + ["\(taken.port)"])
        #expect(status == 1)
        #expect(text.contains("cannot listen at 127.0.0.1:\(taken.port): "), "\(text)")
        #expect(text.contains(try #require(command.last)) && text.contains("choose other ports"), "\(text)")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
    }

    @Test func aJournalThatAnotherProcessHoldsIsNotOpened() async throws {
        let relay = try await RunningRelay()
        await #expect { try await RunningRelay(after: relay) } throws: { "\($0)".contains("another payrelay process") }
        #expect(try await relay.pay(try Orders.body().json).outcome == "captured")
    }
}
