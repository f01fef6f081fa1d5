import Composition
import Foundation
import HTTPListener
import Settings
import TestPrograms
import Testing

/// A configuration file comes from outside. Any file is either read, or refused at once with a message.
@Suite struct ConfigurationFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func errors(_ yaml: String) throws -> [String] {
        try errors(file: folder.file("\(UUID().uuidString).yaml", yaml))
    }

    private func errors(file: String?, _ more: [String: String] = [:]) -> [String] {
        do throws(ConfigurationError) {
            let environment = RelayConfigurationTests.account.merging(more) { $1 }
            _ = try RelayConfiguration(ConfigurationSources(environment: environment, file: file))
            return []
        } catch {
            return error.errors.map { $0.description.replacing("\(folder.path)/", with: "") }
        }
    }

    @Test func listsAreReadAsTheyAreInTheEnvironment() throws {
        for list in ["[pay.example, 'fd00::9']", "\n    - pay.example\n    - fd00::9", "pay.example, fd00::9"] {
            let path = try folder.file("\(UUID().uuidString).yaml", "http:\n  hosts: \(list)\n")
            let sources = try ConfigurationSources(environment: RelayConfigurationTests.account, file: path)
            #expect(try RelayConfiguration(sources).hosts == ["pay.example", "fd00::9"])
        }
    }

    @Test func theEnvironmentMayNameTheFile() throws {
        let named = try folder.file("named.yaml", "http: {port: 9000}\n")
        let given = try folder.file("given.yaml", "http: {port: 9001}\n")
        func port(_ file: String?, _ variable: String) throws -> Int {
            let environment = RelayConfigurationTests.account.merging(["PAYRELAY_CONFIG": variable]) { $1 }
            return try RelayConfiguration(ConfigurationSources(environment: environment, file: file)).http.port
        }
        #expect(try port(nil, named) == 9000)
        #expect(try port(given, named) == 9001)
        #expect(try port(nil, "") == 8080)
        #expect(
            errors(file: nil, ["PAYRELAY_CONFIG": folder.path("missing")])
                == ["missing cannot be read: there is no such file"])
    }

    @Test func everyErrorNamesItsLineAndWhatWasMeant() throws {
        let path = try folder.file(
            "wrong.yaml",
            """
            http:
              prot: 8080
              port: eighty
              hosts: [a, [b]]
            tokens: {freshness_seconds: 1}
            token:
              freshness_seconds: [1, 2]
              verification: {mode: off}
            journal: "oracle:"
            zzzzzzzzzzzz: 1
            """)
        #expect(
            errors(file: path) == [
                "http.prot (wrong.yaml, line 2) is not a setting; did you mean http.port?",
                "http.hosts (wrong.yaml, line 4) must be a list of texts, none of them empty or with a comma",
                "tokens (wrong.yaml, line 5) is not a setting; did you mean token?",
                "token.freshness_seconds (wrong.yaml, line 7) must be a number of seconds from 1 to 86400, not a list",
                "token.verification (wrong.yaml, line 8) must be required or off, not nested keys",
                "zzzzzzzzzzzz (wrong.yaml, line 10) is not a setting",
                "http.port (wrong.yaml, line 3) must be a number from 0 to 65535",
                "journal (wrong.yaml, line 9) must be sqlite:PATH, postgres://… or memory:",
            ])
        #expect(
            errors(file: nil, ["PAYRELAY_FORT_TIMOUT_SECONDS": "3"]) == [
                "PAYRELAY_FORT_TIMOUT_SECONDS is not a setting; did you mean PAYRELAY_FORT_TIMEOUT_SECONDS?"
            ])
    }

    @Test("a file that is not regular, too long or not UTF-8 is refused without waiting for it")
    func whatIsNoFile() throws {
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        #expect(errors(file: folder.path("pipe")) == ["pipe cannot be read: it is not a regular file"])
        #expect(errors(file: "/dev/zero") == ["/dev/zero cannot be read: it is not a regular file"])
        #expect(errors(file: folder.path) == ["\(folder.path) cannot be read: it is not a regular file"])
        let long = try folder.file("long.yaml", String(repeating: "# comment\n", count: 30_000))
        #expect(errors(file: long) == ["long.yaml cannot be read: it has more than 262144 bytes"])
        try Data("http: {host: \"".utf8 + [0xFF] + "\"}".utf8).write(to: URL(filePath: folder.path("bytes")))
        #expect(errors(file: folder.path("bytes")) == ["bytes cannot be read: the file is not UTF-8"])
        // The files of a ConfigMap are links.
        let target = try folder.file("target.yaml", "http: {port: 1}")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: target)
        #expect(errors(file: folder.path("link")) == [])
    }

    @Test("anchors and aliases are refused before they are expanded")
    func bombs() throws {
        let levels = (1...40).map { "l\($0): &l\($0) [*l\($0 - 1), *l\($0 - 1)]" }
        let bomb = "l0: &l0 [x, x]\n" + levels.joined(separator: "\n")
        #expect(try errors(bomb).map { $0.hasSuffix("has anchors or aliases") } == [true])
        // The alias is in a key, where YAML readers compare the values behind aliases.
        let flow = "{" + levels.map { $0.replacing(": &", with: ":&") }.joined(separator: ",") + ", *l40 : 1}"
        #expect(try errors(flow).count == 1)
        #expect(try errors("# comment\u{2028}" + levels.joined(separator: "\u{2028}")).count == 1)
        let shared = try errors("http: &http {port: 9000}\nadmin: *http\n")
        #expect(shared.count == 2 && shared.allSatisfy { $0.contains("anchors and aliases are not supported") })
        // A text that only looks like an anchor or alias is allowed.
        let phrases = (1...40).map { "# *emphasis* &c. \($0)" }.joined(separator: "\n")
        #expect(try errors(phrases + "\njwt: {audience: 'a *b* &c'}\n") == [])
    }

    @Test func deepNestingIsRefused() throws {
        for open in ["[", "{a: ", "- ", "? "] {
            #expect(try errors(String(repeating: open, count: 60_000)).first?.contains("is not YAML: line") == true)
        }
        let brackets = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        #expect(try errors("http: \(brackets)").first?.contains("must have settings") == true)
        #expect(try errors("http: {hosts: \(brackets)}").first?.contains("must be a list of texts") == true)
    }

    @Test(arguments: [
        ("? [a, b]\n: 1", "has a key that is not a plain text"),
        ("? {a: b}\n: 1", "has a key that is not a plain text"),
        ("http: {port: 1}\nhttp: {port: 2}", "is not YAML: line 1: the key http occurs twice"),
        ("http:\n  port: 1\n  port: 2", "is not YAML: line 2: the key port occurs twice"),
        ("http: {port: 1}\n---\nhttp: {port: 2}", "is not YAML: line"), ("\u{0}", "is not YAML: "),
        ("http: {port: 1", "is not YAML: line"), ("<<: {http: {port: 1}}", "<< (x.yaml, line 1) is not a setting"),
        ("just text", "the file (x.yaml, line 1) must have settings"),
        ("\"\": 1", "has a key that is not a plain text"),
        ("\"\\e[2J\\u202E\": 1", "?[2J? (x.yaml, line 1) is not a setting"),
    ])
    func hostileFilesAreNamedInWords(yaml: String, error: String) throws {
        let found = errors(file: try folder.file("x.yaml", yaml))
        #expect(found.count == 1 && found[0].contains(error), "\(found)")
    }

    @Test func aSyntaxErrorDoesNotShowTheText() throws {
        for yaml in ["fort:\n  request_phrase: 'canary\n", "fort: {request_phrase: canary: x}", "canary: [}"] {
            #expect(try !"\(errors(yaml))".contains("canary"))
        }
    }

    @Test func manyErrorsAreCutShort() throws {
        let yaml = (1...20_000).map { "x\($0): 1" }.joined(separator: "\n")
        #expect(try errors(yaml).count == 100)
        let environment = Dictionary(uniqueKeysWithValues: (1...20_000).map { ("PAYRELAY_X\($0)", "1") })
        #expect(errors(file: nil, environment).count == 100)
    }

    @Test func anEmptyValueCountsAsNotSet() throws {
        #expect(try errors("http:\nadmin:\n  port: ~\njwt:\n  issuer:\n  keys_file: ''\nlog: {level: null}\n") == [])
        // An empty path of a secret is refused: the relay would start without the secret.
        #expect(errors(file: nil, ["PAYRELAY_API_KEYS_FILE": ""]) == ["PAYRELAY_API_KEYS_FILE names no file"])
        #expect(try errors("api_keys_file: ''").map { $0.hasSuffix(", line 1) names no file") } == [true])
    }
}
