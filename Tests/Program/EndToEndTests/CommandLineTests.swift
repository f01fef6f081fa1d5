import ApplePayToken
import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// The output and exit status of commands that end.
@Suite struct CommandLineTests {
    @Test("the demonstration fits a screen, without colours if no terminal reads it")
    func theDemonstrationFitsAScreen() async throws {
        let (status, text) = try await RunningProgram.run(["demo"])
        #expect(status == 0)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 94 }, "\(text)")
        #expect(text.contains("outcome: captured") && !text.contains("\u{1B}"))
        #expect(text.contains("no second charge") && text.matches(of: #/ [0-9]+\.[0-9] ms\n/#).count >= 6, "\(text)")
    }

    @Test(
        "the demonstration has colours on a terminal, unless NO_COLOR is set", .enabled(if: FortInPython.isInstalled),
        arguments: [false, true])
    func theDemonstrationHasColours(noColour: Bool) async throws {
        let program = RunningProgram.built("payrelay-dev").path
        let terminal = try RunningProgram(
            ["-c", "import pty, sys; sys.exit(pty.spawn(['\(program)', 'demo']) >> 8)"],
            environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"].merging(noColour ? ["NO_COLOR": "1"] : [:]) { $1 },
            program: "python3")
        #expect(try await terminal.end() == 0)
        #expect(terminal.text.contains("\u{1B}[32moutcome: captured\u{1B}[0m") == !noColour, "\(terminal.text)")
        #expect(terminal.text.contains("\u{1B}") == !noColour)
    }

    @Test(
        "a mistyped sub-command is answered with the one that was probably meant",
        arguments: [
            (["paymnts", "list"], "payrelay payments"), (["payments", "lst"], "payrelay payments list"),
            (["tokens"], "payrelay token"), (["xyzzyplugh"], nil),
        ] as [([String], String?)])
    func mistypedCommands(arguments: [String], meant: String?) async throws {
        let (status, text) = try await RunningProgram.run(arguments)
        #expect(status == 64)
        #expect(text.contains("Did you mean") == (meant != nil), "\(text)")
        if let meant { #expect(text.contains("Did you mean '\(meant)'?"), "\(text)") }
    }

    @Test(
        "a duration without its unit is refused with the hint how it is written",
        arguments: [
            ["healthcheck", "--timeout", "3"], ["sandbox", "--token-lifetime", "300"],
            ["loadtest", "--duration", "30"],
            ["token", "verify", "-", "--freshness", "300"], ["reconcile", "report", "-", "--margin", "60"],
        ])
    func durations(arguments: [String]) async throws {
        let (status, text) = try await RunningProgram.run(arguments, input: "")
        #expect(status == 64)
        #expect(text.contains("a duration has its unit: ") && text.contains("<duration>"), "\(text)")
        #expect(text.contains(/Usage: payrelay(-dev)? ([a-z]+)/) && text.contains(" \(arguments[0]) "), "\(text)")
    }

    @Test("a mistake that shows only when a command runs is also answered with that command's usage")
    func usageOfTheSubcommand() async throws {
        let (status, text) = try await RunningProgram.run(
            ["journal", "archive", "--before", "2020-01-01"],
            environment: [
                "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
                "PAYRELAY_FORT_REQUEST_PHRASE": "r", "PAYRELAY_FORT_RESPONSE_PHRASE": "s",
            ])
        #expect(status == 64)
        #expect(text.contains("Usage: payrelay journal archive"), "\(text)")
    }

    @Test("keys list names clients, scopes and the digest's beginning, and no key")
    func keysAreListed() async throws {
        let generated = try await RunningProgram.run(
            ["keys", "generate", "shop", "--scopes", "payments:read,payments:create"])
        let lines = generated.text.split(separator: "\n")
        let line = String(try #require(lines.first { $0.hasPrefix("shop ") }))
        let environment = ["PAYRELAY_API_KEYS": line]
        let digest = try #require(line.split(separator: " ").last)
        let text = try await RunningProgram.run(["keys", "list"], environment: environment)
        #expect(text.status == 0)
        #expect(text.text == "shop  payments:create,payments:read  \(digest.prefix(8))\n")
        let json = try await RunningProgram.run(["keys", "list", "--json"], environment: environment)
        #expect(
            try JSON(parsing: Array(json.text.utf8)) == [
                [
                    "client": "shop", "scopes": ["payments:create", "payments:read"], "sha256": .string(String(digest)),
                ]
            ])
        #expect(try await RunningProgram.run(["keys", "list"]).status == 1)
    }

    @Test(
        "a file that is not there is named in one way by every command",
        arguments: [
            ["token", "inspect"], ["fort", "sign"], ["order-token", "verify", "x", "--keys"], ["fort", "explain"],
        ])
    func missingFiles(command: [String]) async throws {
        let (status, text) = try await RunningProgram.run(command + ["/no/such/file"])
        #expect(status == 65)
        #expect(text == "payrelay: /no/such/file cannot be read: there is no such file\n")
    }

    @Test("the demonstration with --verbose shows each check and message, and ends with money captured")
    func theDemonstrationEndsWithMoneyCaptured() async throws {
        let (status, text) = try await RunningProgram.run(["demo", "--verbose"])
        #expect(status == 0)
        #expect(text.split(separator: "\n").last == "outcome: captured")
        // Every check of the token is listed, and none failed. Three checks are made only if they are configured.
        let configurable: [CheckName] = [.sandboxSigner, .publicKeyHash, .applicationData]
        for name in CheckName.allCases {
            #expect(text.contains("\(configurable.contains(name) ? "----" : "pass")  \(name.rawValue) "), "\(text)")
        }
        #expect(!text.contains("FAIL") && !text.contains("skip"))
    }

    @Test("A command whose output is not read ends without a crash")
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
        let minted = try await RunningProgram.run(["token", "mint", "--amount", "100.00", "--currency", "AED"])
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
