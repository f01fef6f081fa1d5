import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// docs/order-tokens.md shows the examples, the command's output and the messages unchanged.
@Suite struct OrderTokenDocumentTests {
    private let page: String
    private let folder: TemporaryFolder

    init() throws {
        page = try String(contentsOf: Project.url("docs/order-tokens.md"), encoding: .utf8)
        folder = try TemporaryFolder()
    }

    @Test("The code block of the page is the file that it names, and the page links every example")
    func blocksAreTheFiles() throws {
        let blocks = page.matches(of: /\[`(Examples\/order-tokens\/[^`]+)`\]\([^)]+\)\n\n```[a-z]+\n((?:.|\n)*?)```\n/)
        for block in blocks {
            let file = try String(contentsOf: Project.url(String(block.1)), encoding: .utf8)
            #expect(String(block.2) == file, "\(block.1)")
        }
        let folder = Project.url("Examples/order-tokens")
        let languages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = try languages.flatMap { language in
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: language).path)
                .map { "Examples/order-tokens/\(language)/\($0)" }
        }
        #expect(blocks.map { String($0.1) } == ["Examples/order-tokens/node/order-token.mjs"] && files.count == 5)
        for file in files { #expect(page.contains("](../\(file))"), "\(file)") }
    }

    @Test("The page's commands print the output that the page shows")
    func outputsAreTheCommands() async throws {
        // Removes times, which differ from run to run.
        func timeless(_ text: some StringProtocol) -> String {
            String(text).replacing(/\b1[0-9]{9}\b/, with: "T").replacing(/for [0-9]+ seconds/, with: "for N seconds")
        }
        let script = page.matches(of: /```console\n((?:.|\n)*?)```/).map { String($0.1) }.joined()
        var expected: [String] = []
        var commands = "cd '\(folder.path)'; PATH=\"$1:$PATH\"\n"
        for line in script.split(separator: "\n") where !line.hasPrefix("$ kill") {
            if line.hasPrefix("$ ") { commands += line.dropFirst(2) + "\n" } else { expected.append(timeless(line)) }
        }
        let binaries = RunningProgram.built("payrelay").deletingLastPathComponent().path
        let shell = ExampleProgram(runtime: "sh", command: ["sh", "-c", commands, "sh", binaries])
        let (succeeded, text) = try await shell.run(input: .null)
        #expect(succeeded && timeless(text).split(separator: "\n").map(String.init) == expected, "\(text)")
    }

    @Test("The messages of the page are those of the relay")
    func messagesAreTheRelays() async throws {
        let issuer = TokenIssuer()
        let keys = try folder.file(
            "keys.json",
            String(decoding: TokenIssuer.set([issuer]).encoded(), as: UTF8.self).replacing(
                #""kid":"k1""#, with: #""kid":"k1","client":"shop""#))
        let clientless = try folder.file("clientless.json", TokenIssuer.text([issuer]))
        let now = Int(Date().timeIntervalSince1970)
        func token(_ claims: JSONObject = [:]) throws -> String { try issuer.orderToken("ORDER-1001", claims: claims) }
        let genuine = try token()
        let doubled = try issuer.token(payload: Array(#"{"aud":"payrelay","aud":"payrelay"}"#.utf8))
        let nobodys = try issuer.token(payload: (["aud": "payrelay", "exp": JSON(now + 300)] as JSON).encoded())
        let tokens: [(token: String, keys: String)] = try [
            (TokenIssuer("k2").orderToken("ORDER-1001"), keys), (TokenIssuer().orderToken("ORDER-1001"), keys),
            (issuer.token(alg: "HS256"), keys), ("\(genuine)=", keys), (doubled, keys),
            (token(["exp": JSON(now * 1_000)]), keys), (token(["exp": JSON(now - 900)]), keys),
            (token(["iat": JSON(now + 900)]), keys), (token(["aud": "shop"]), keys),
            (nobodys, clientless), (token(["client_id": "other"]), keys),
            (token(["merchant_reference": .null]), keys), (token(["amount": .number("100.00")]), keys),
            (token(["command": "purchase"]), keys), (token(["order_description": 7]), keys),
        ]
        var said: [String] = []
        for (token, keys) in tokens {
            let verdict = try await RunningProgram.run(["order-token", "verify", token, "--keys", keys])
            #expect(verdict.status == 1)
            said += verdict.text.split(separator: "\n").filter { $0.hasPrefix("refused: ") }.map {
                String($0.dropFirst(9))
            }
        }
        let messages = page.matches(of: /\n\| `(the token[^`]+|no key[^`]+)` \|/).map { String($0.1) }
        #expect(
            Set(said) == Set(messages) && messages.count == tokens.count, "\(Set(said).symmetricDifference(messages))")
    }
}
