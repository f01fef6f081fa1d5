import ApplePayToken
import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// Commands that end: output and exit status.
@Suite struct CommandLineTests {
    @Test func theDemonstrationEndsWithMoneyCaptured() async throws {
        let (status, text) = try await RunningProgram.run(["demo"])
        #expect(status == 0)
        #expect(text.split(separator: "\n").last == "outcome: captured")
        // Every check of the token is listed, and none failed. Three are made only if configured.
        let configurable: [CheckName] = [.sandboxSigner, .publicKeyHash, .applicationData]
        for name in CheckName.allCases {
            #expect(text.contains("\(configurable.contains(name) ? "----" : "pass")  \(name.rawValue) "))
        }
        #expect(!text.contains("FAIL") && !text.contains("skip"))
    }

    @Test("A command whose output nobody reads ends without a crash")
    func aReaderThatHasLeftIsNoError() throws {
        let output = Pipe()
        try output.fileHandleForReading.close()
        let command = Process()
        command.executableURL = URL(filePath: "/bin/sh")
        // Service managers start programs with SIGPIPE ignored.
        command.arguments = ["-c", "trap '' PIPE; exec \"$0\" fort codes", RunningProgram.built("payrelay").path]
        command.standardOutput = output
        try command.run()
        command.waitUntilExit()
        #expect(command.terminationReason == .exit)
        #expect(command.terminationStatus == 0)
    }

    @Test("The help of operators add names every character that a name may have")
    func operatorsNames() async throws {
        let name = "sara.o_k+desk-1@example.com"
        #expect(try await AddedOperator(name, role: "viewer").line.hasPrefix(name))
        let help = try await RunningProgram.run(["operators", "add", "--help"]).text
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("1 to 64 of A-Z a-z 0-9 . _ @ + -"), "\(help)")
    }

    @Test func aMintedTokenVerifiesAgainstTheSandboxAnchorOnly() async throws {
        let folder = try TemporaryFolder()
        let minted = try await RunningProgram.run(["token", "mint", "--amount", "10000", "--currency", "AED"])
        #expect(minted.status == 0)
        let file = try folder.file("token.json", minted.text)
        let anchor = Project.url("certs/sandbox/root-ca.pem").path

        let trusted = try await RunningProgram.run(["token", "verify", file, "--anchor", anchor])
        #expect(trusted.status == 0)
        #expect(trusted.text.hasSuffix("valid\n"))
        let untrusted = try await RunningProgram.run(["token", "verify", "-"], input: minted.text)
        #expect(untrusted.status == 1)
        #expect(untrusted.text.hasSuffix("refused: chain\n"))
        let late = try await RunningProgram.run(
            ["token", "verify", file, "--anchor", anchor, "--at", "2040-01-01T00:00:00Z"])
        #expect(late.status == 1)
        #expect(late.text.hasSuffix("refused: freshness\n"))
    }

    @Test func mintWritesAsManyFilesAsAsked() async throws {
        let folder = try TemporaryFolder()
        let (status, _) = try await RunningProgram.run([
            "token", "mint", "--amount", "5", "--currency", "KWD", "--count", "12", "--out", folder.url.path,
        ])
        #expect(status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names.count == 12 && names.first == "token-01.json" && names.last == "token-12.json")
        for name in names {
            let bytes = Array(try Data(contentsOf: folder.url.appending(path: name)))
            let token = try PaymentToken(json: try JSON(parsing: bytes))
            #expect(TokenVerifier(anchor: try SandboxPKI.published.anchor()).verify(token, at: .signingTime).isValid)
        }
    }

    @Test(.enabled(if: Project.hasShared("vectors/fort-signature.json")))
    func signaturesAreThoseOfTheVectors() async throws {
        let folder = try TemporaryFolder()
        let bytes = Array(try Data(contentsOf: Project.shared("vectors/fort-signature.json")))
        let vectors = try #require(try JSON(parsing: bytes).arrayValue)
        for (number, vector) in vectors.enumerated() {
            let message = try #require(vector["parameters"])
            let file = try folder.file("\(number).json", String(decoding: message.encoded(), as: UTF8.self))
            let phrase = try folder.file("phrase", (vector["phrase"]?.stringValue ?? "") + "\n")
            let type = ["hmac-sha256", "hmac-sha512", "sha256", "sha512"][number % 4]
            let (status, text) = try await RunningProgram.run([
                "fort", "sign", file, "--type", type, "--phrase-file", phrase,
            ])
            #expect(status == 0)
            #expect(text.contains(vector["canonical"]?.stringValue ?? "?"), "\(number)")
            #expect(text.contains(vector["signatures"]?[type]?.stringValue ?? "?"), "\(number)")
        }
    }

    @Test(arguments: [
        ["unknown"], ["serve", "--unknown"], ["token", "verify"], ["token", "mint", "--amount", "x"],
        ["token", "mint", "--amount", "1", "--currency", "AED", "--count", "2"],
        ["token", "mint", "--amount", "1", "--currency", "XXXX"],
        ["token", "mint", "--amount", "1", "--currency", "AED", "--application-data", "zz"],
        ["fort", "sign", "-", "--type", "md5"], ["sandbox", "--port", "99999"], ["sandbox", "--port", "-1"],
        ["sandbox", "--relay", "http://127.0.0.1:8080/"], ["sandbox", "--relay", "http://relay.example"],
        ["dev", "--port", "99999"], ["keys", "generate", "shop", "--scopes", "payments:creat"],
        ["keys", "generate", "a b", "--scopes", "payments:read"],
    ])
    func wrongUsageEndsWith64(arguments: [String]) async throws {
        let (status, text) = try await RunningProgram.run(arguments)
        #expect(status == 64, "\(text)")
        #expect(text.contains("Usage: payrelay"))
    }

    @Test(arguments: [["token", "verify", "-"], ["token", "inspect", "/no/such/file"], ["fort", "sign", "-"]])
    func aFileThatCannotBeUsedEndsWith65(arguments: [String]) async throws {
        let (status, text) = try await RunningProgram.run(
            arguments, environment: ["PAYRELAY_FORT_REQUEST_PHRASE": "x"], input: "no JSON")
        #expect(status == 65)
        #expect(text.hasPrefix("payrelay: \(arguments[2]) "))
    }
}
