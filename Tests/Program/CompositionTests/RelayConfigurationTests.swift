import ApplePayToken
import Composition
import FortAPI
import FortModule
import Foundation
import GatewayModule
import HTTPListener
import Logging
import OutboundHTTP
import PayrelayPrimitives
import RelayServer
import Settings
import TestPrograms
import Testing
import TokenMint

@Suite struct RelayConfigurationTests {
    static let account = [
        "PAYRELAY_FORT_ACCESS_CODE": "zx0IPmPy5jp1vAz8Kpg7", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "CycHZxVj",
        "PAYRELAY_FORT_REQUEST_PHRASE": "REQ", "PAYRELAY_FORT_RESPONSE_PHRASE": "RES",
    ]

    private static let portmoneAccount = [
        "PAYRELAY_PORTMONE_PAYEE_ID": "1185", "PAYRELAY_PORTMONE_LOGIN": "SHOP", "PAYRELAY_PORTMONE_PASSWORD": "PASS",
        "PAYRELAY_PORTMONE_APPLE_MERCHANT_ID": "merchant.com.example",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(
        _ more: [String: String] = [:], without: [String] = [], file: String? = nil
    ) throws -> RelayConfiguration {
        var environment = Self.account.merging(more) { $1 }
        for name in without { environment[name] = nil }
        return try RelayConfiguration(ConfigurationSources(environment: environment, file: file))
    }

    private func errors(
        _ more: [String: String] = [:], without: [String] = [], file: String? = nil
    ) -> [String] {
        do {
            _ = try read(more, without: without, file: file)
            return []
        } catch let error as ConfigurationError {
            return error.errors.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    private func temporaryFile(_ text: String) throws -> String { try folder.file(UUID().uuidString, text) }

    @Test func namesAnUnreadableFileAndWhy() throws {
        let (missing, bytes) = (folder.path("missing"), folder.path("bytes"))
        try Data([0xFF]).write(to: URL(filePath: bytes))
        let anchor = "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE"
        #expect(errors([anchor: missing]) == ["\(anchor) cannot be used: \(missing): there is no such file"])
        #expect(errors([anchor: bytes]) == ["\(anchor) cannot be used: \(bytes): the file is not UTF-8"])
        #expect(errors([anchor: folder.path]) == ["\(anchor) cannot be used: \(folder.path): the file cannot be read"])
        let (certificate, key) = ("PAYRELAY_HTTP_TLS_CERTIFICATE_FILE", "PAYRELAY_HTTP_TLS_KEY_FILE")
        for (path, reason) in [
            (missing, "there is no such file"), (bytes, "no certificate in PEM can be read from it"),
            (bytes + "/certificate.pem", "the file cannot be read"),
        ] {
            #expect(
                errors([certificate: path, key: path])
                    == ["\(certificate) and \(key) cannot be used: \(path): \(reason)"])
        }
        let phrase = "PAYRELAY_FORT_REQUEST_PHRASE"
        #expect(
            errors(["\(phrase)_FILE": missing], without: [phrase]) == [
                "\(phrase)_FILE cannot be read: \(missing): there is no such file"
            ])
        #expect(errors(file: missing) == ["\(missing) cannot be read: there is no such file"])
    }

    @Test func requiresTheAccountAlone() throws {
        let configuration = try read()
        #expect(configuration.http == .init(host: "127.0.0.1", port: 8080))
        #expect(configuration.admin == .init(host: "127.0.0.1", port: 8081))
        #expect(configuration.fort.endpoint == .fortTest)
        #expect(configuration.fort.fortAccounts.entries[0].account.signatureType == .hmacSHA256)
        #expect(configuration.fort.timeout == .seconds(30))
        #expect(configuration.notFoundAfter == .seconds(60))
        #expect(configuration.tokenVerifier?.anchor == .appleRootCAG3)
        #expect(configuration.tokenVerifier?.freshness == .seconds(300))
        #expect(configuration.tokenVerifier?.processingCertificates.all == [])
        #expect(configuration.tokenVerifier?.unknownProcessingCertificates == .refused)
        #expect(configuration.tokenVerifier?.sandboxSigners == .accepted)
        #expect(configuration.journal == .sqlite(path: "payrelay.sqlite"))
        #expect(configuration.logLevel == .info)
    }

    @Test func hasASettingForEveryLimit() throws {
        let standard = try read()
        #expect(standard.limits == ListenerLimits() && standard.fort.limits == GatewayLimits())
        #expect(standard.limits.clientRequestsPerSecond == nil)
        let set = try read([
            "PAYRELAY_HTTP_HEADER_BYTES_MAX": "2048", "PAYRELAY_HTTP_CONNECTIONS_MAX": "10",
            "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "1", "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "2",
            "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "3", "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "4",
            "PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": "5", "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX": "6",
            "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "7",
        ])
        #expect(
            set.limits
                == ListenerLimits(
                    connections: 10, headerBytes: 2_048, headTimeout: .seconds(1), bodyTimeout: .seconds(2),
                    idleTimeout: .seconds(3), requestsInFlight: 4, clientRequestsPerSecond: 5))
        #expect(set.fort.limits == GatewayLimits(requestsInFlight: 6, failures: 7))
        #expect(
            errors(["PAYRELAY_HTTP_CONNECTIONS_MAX": "0", "PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": "none"]) == [
                "PAYRELAY_HTTP_CONNECTIONS_MAX must be a number from 1 to 1000000",
                "PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX must be a number from 1 to 100000",
            ])
    }

    @Test func configuresTheVerifier() throws {
        let pki = SandboxPKI.published
        let paths = try [temporaryFile(pki.pem(.merchant)), temporaryFile(pki.pem(.leaf))]
        let verifier = try read([
            "PAYRELAY_TOKEN_PROCESSING_CERTIFICATE_FILES": paths.joined(separator: ", "),
            "PAYRELAY_TOKEN_SANDBOX_SIGNERS": "refused", "PAYRELAY_TOKEN_UNKNOWN_PROCESSING_CERTIFICATES": "accepted",
        ]).tokenVerifier
        #expect(
            try verifier?.processingCertificates.all
                == ProcessingCertificate.all(inFile: Array((pki.pem(.merchant) + "\n" + pki.pem(.leaf)).utf8)))
        #expect(verifier?.sandboxSigners == .refused)
        #expect(verifier?.unknownProcessingCertificates == .accepted)
    }

    @Test func refusesAnInvalidCertificate() throws {
        let key = try temporaryFile(SandboxPKI.published.pem(.merchantKey))
        let found = errors([
            "PAYRELAY_TOKEN_PROCESSING_CERTIFICATE_FILES": "/no/such.pem,\(key),",
            "PAYRELAY_TOKEN_SANDBOX_SIGNERS": "perhaps",
        ])
        #expect(found.count == 4)
        #expect(found.filter { $0.hasPrefix("PAYRELAY_TOKEN_PROCESSING_CERTIFICATE_FILES ") }.count == 3)
        #expect(found.contains { $0.contains("/no/such.pem") })
        #expect(found.contains("PAYRELAY_TOKEN_SANDBOX_SIGNERS must be accepted or refused"))
    }

    @Test func namesEveryErrorAtOnce() {
        let found = errors(
            [
                "PAYRELAY_HTTP_PORT": "eighty", "PAYRELAY_FORT_ENDPOINT": "http://fort.example.com/",
                "PAYRELAY_TOKEN_VERIFICATION": "maybe", "PAYRELAY_JOURNAL": "oracle:x", "PAYRELAY_FORT_TIMOUT": "3",
            ], without: ["PAYRELAY_FORT_ACCESS_CODE", "PAYRELAY_FORT_RESPONSE_PHRASE"])
        for name in [
            "PAYRELAY_HTTP_PORT", "PAYRELAY_FORT_ENDPOINT", "PAYRELAY_TOKEN_VERIFICATION", "PAYRELAY_JOURNAL",
            "PAYRELAY_FORT_TIMOUT", "PAYRELAY_FORT_ACCESS_CODE", "PAYRELAY_FORT_RESPONSE_PHRASE",
        ] {
            #expect(found.contains { $0.hasPrefix(name + " ") }, "\(name) is not named in \(found)")
        }
        #expect(found.count == 7)
    }

    @Test func anAccountsErrorsAreNamedBesideWhatIsMissing() {
        #expect(
            errors(["PAYRELAY_FORT_ACCESS_CODE": "A A"], without: ["PAYRELAY_FORT_RESPONSE_PHRASE"]).map {
                $0.split(separator: " ").first
            } == ["PAYRELAY_FORT_RESPONSE_PHRASE", "PAYRELAY_FORT_ACCESS_CODE"])
        #expect(errors(["PAYRELAY_API_KEYS_FILE": folder.path("missing")]).count == 1)
    }

    @Test func listensOnLoopbackOnlyWithoutAuthentication() {
        #expect(errors(["PAYRELAY_HTTP_HOST": "0.0.0.0"]).contains { $0.contains("loopback only") })
        #expect(errors(["PAYRELAY_HTTP_HOST": "::1"]).isEmpty)
    }

    @Test func listensAnywhereWithAuthentication() throws {
        let key = "shop payments:create \(String(repeating: "0", count: 64))"
        for host in ["0.0.0.0", "::", "relay.example"] {
            #expect(try read(["PAYRELAY_HTTP_HOST": host, "PAYRELAY_API_KEYS": key]).http.host == host)
        }
        #expect(errors(["PAYRELAY_ADMIN_HOST": "0.0.0.0", "PAYRELAY_API_KEYS": key]).count == 1)
    }

    @Test func namesKeyErrorsWithoutTheKeys() throws {
        let path = try temporaryFile(
            "shop payments:create canary\nshop payments:fly \(String(repeating: "0", count: 64))\n")
        let found = errors([
            "PAYRELAY_API_KEYS_FILE": path, "PAYRELAY_JWT_KEYS_FILE": "/no/such.json",
            "PAYRELAY_JWT_KEYS_URL": "http://keys.example", "PAYRELAY_JWT_CLOCK_SKEW_SECONDS": "301",
            "PAYRELAY_HTTP_TRUSTED_PROXIES": "10.0.0.0/8,nowhere", "PAYRELAY_HTTP_TLS_KEY_FILE": "/no/such.pem",
        ])
        #expect(found.count == 7)
        #expect(found.filter { $0.hasPrefix("PAYRELAY_API_KEYS cannot be used: line ") }.count == 2)
        for name in [
            "JWT_KEYS_FILE", "JWT_KEYS_URL", "JWT_CLOCK_SKEW_SECONDS", "HTTP_TRUSTED_PROXIES",
            "HTTP_TLS_CERTIFICATE_FILE",
        ] {
            #expect(found.contains { $0.hasPrefix("PAYRELAY_\(name) ") }, "\(name) is not named in \(found)")
        }
        #expect(!"\(found)".contains("canary"))
    }

    @Test func refusesKeysThatAreSetTwice() throws {
        let key = "shop payments:create \(String(repeating: "0", count: 64))"
        let path = try temporaryFile(key)
        #expect(
            errors(["PAYRELAY_API_KEYS": key, "PAYRELAY_API_KEYS_FILE": path]).contains { $0.contains("both set") })
    }

    @Test func readsASecretFileWithoutItsLineBreak() throws {
        let path = try temporaryFile("$2y$10$p(h{r&a}se\n")
        let configuration = try read(
            ["PAYRELAY_FORT_REQUEST_PHRASE_FILE": path], without: ["PAYRELAY_FORT_REQUEST_PHRASE"])
        #expect(configuration.fort.fortAccounts.entries[0].account.requestPhrase == Secret("$2y$10$p(h{r&a}se"))
    }

    @Test(
        "A secret's file that is empty is an error, and does not pass for a setting that is left out",
        arguments: ["", "\n", " \r\n\n"])
    func refusesAnEmptySecretFile(text: String) throws {
        let path = try temporaryFile(text)
        let secrets: [(name: String, beside: [String: String])] = [
            ("FORT_REQUEST_PHRASE", [:]), ("JOURNAL", [:]), ("API_KEYS", [:]), ("OPERATORS", [:]),
            ("EVENTS_SECRET", ["PAYRELAY_EVENTS_URL": "https://shop.example/events"]),
            ("PORTMONE_PASSWORD", Self.portmoneAccount),
        ]
        for (name, beside) in secrets {
            let setting = "PAYRELAY_" + name
            #expect(
                errors(beside.merging(["\(setting)_FILE": path]) { $1 }, without: [setting])
                    == ["\(setting)_FILE is empty: \(path)"])
        }
    }

    @Test func hidesThePasswordOfPostgreSQL() throws {
        let url = "postgres://relay:canary@db.example/payrelay"
        let configuration = try read(["PAYRELAY_JOURNAL": url])
        #expect(configuration.journal == .postgres(url: Secret(url)))
        #expect(!"\(configuration)".contains("canary"))
        let path = try temporaryFile(url + "\n")
        #expect(try read(["PAYRELAY_JOURNAL_FILE": path]).journal == .postgres(url: Secret(url)))
    }

    @Test("S11: a secret that is set twice is an error")
    func refusesASecretThatIsSetTwice() throws {
        let (phrase, path) = ("PAYRELAY_FORT_REQUEST_PHRASE", try temporaryFile("x"))
        #expect(errors(["\(phrase)_FILE": path]) == ["\(phrase) and \(phrase)_FILE are both set"])
    }

    @Test("A secret that cannot be an account's is an error, in the environment and in a file")
    func refusesAWrongSecretInAFile() throws {
        let (password, path) = ("PAYRELAY_PORTMONE_PASSWORD", try temporaryFile("PASS\nWORD\n"))
        let error = ["\(password) must be characters, at most 200"]
        #expect(errors(Self.portmoneAccount.merging([password: "PASS\nWORD"]) { $1 }) == error)
        #expect(errors(Self.portmoneAccount.merging(["\(password)_FILE": path]) { $1 }, without: [password]) == error)
    }

    @Test func requiresHostsWithoutPorts() throws {
        #expect(try read().hosts == nil)
        #expect(try read(["PAYRELAY_HTTP_HOSTS": "pay.example, fd00::9"]).hosts == ["pay.example", "fd00::9"])
        for text in ["pay.example:443", "https://pay.example", "a,,b", "a b", ","] {
            #expect(errors(["PAYRELAY_HTTP_HOSTS": text]).count == 1, "\(text)")
        }
    }

    @Test func refusesARateThatIsNotANumber() {
        for text in ["0", "x", "100001"] {
            #expect(errors(["PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX": text]).count == 1, "\(text)")
        }
    }

    @Test func requiresMemoryForOneBody() throws {
        #expect(try read().limits.bodyBytesTotal == 67_108_864)
        let (longest, total) = ("PAYRELAY_HTTP_BODY_BYTES_MAX", "PAYRELAY_HTTP_BODY_BYTES_TOTAL_MAX")
        #expect(try read([longest: "4194304", total: "4194304"]).limits.bodyBytes == 4_194_304)
        #expect(errors([longest: "4194305", total: "4194304"]).count == 1)
        #expect(errors([total: "1048575"]).count == 1)
    }

    @Test func errorsNeverShowASecret() {
        #expect(!"\(errors(["PAYRELAY_HTTP_PORT": "x", "PAYRELAY_FORT_REQUEST_PHRASE": "canary"]))".contains("canary"))
    }

    @Test func requiresAnAddressAndOneOrTwoKeysForEvents() throws {
        #expect(try read().events == nil)
        let (first, second) = ("whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY", "whsec_enl4d3Z1dHNycXBvbm1sa2ppaGdmZWRj")
        let url = ["PAYRELAY_EVENTS_URL": "https://shop.example/events"]
        let file = try temporaryFile("\(first)\n\(second)\n")
        #expect(
            try read(url.merging(["PAYRELAY_EVENTS_SECRET_FILE": file]) { $1 }).events
                == MerchantWebhook.Settings(
                    url: WebhookURL("https://shop.example/events"),
                    secrets: [WebhookSecret(first), WebhookSecret(second)], timeout: .seconds(15)))
        for (settings, error) in [
            (url, "PAYRELAY_EVENTS_SECRET is missing (or PAYRELAY_EVENTS_SECRET_FILE)"),
            (["PAYRELAY_EVENTS_SECRET": first], "PAYRELAY_EVENTS_SECRET is set, and PAYRELAY_EVENTS_URL is not"),
            (
                ["PAYRELAY_EVENTS_URL": "http://shop.example/", "PAYRELAY_EVENTS_SECRET": first],
                "PAYRELAY_EVENTS_URL must be https; plain http is for loopback addresses only"
            ),
            (
                url.merging(["PAYRELAY_EVENTS_SECRET": "\(first) geheim"]) { $1 },
                "PAYRELAY_EVENTS_SECRET must be whsec_ and the base64 of 24 to 64 bytes"
            ),
            (
                url.merging(["PAYRELAY_EVENTS_SECRET": "\(first) \(second) \(first)"]) { $1 },
                "PAYRELAY_EVENTS_SECRET must be one key, or two"
            ),
            (url.merging(["PAYRELAY_EVENTS_SECRET": " "]) { $1 }, "PAYRELAY_EVENTS_SECRET must be one key, or two"),
        ] { #expect(errors(settings) == [error]) }
    }

    @Test func prefersTheEnvironmentToTheFile() throws {
        let path = try temporaryFile(
            """
            http:
              port: 9000
            admin:
              port: 9001
            fort:
              merchant_identifier: "0012"
            """)
        let configuration = try read(
            ["PAYRELAY_HTTP_PORT": "9100"], without: ["PAYRELAY_FORT_MERCHANT_IDENTIFIER"], file: path)
        #expect(configuration.http.port == 9100)
        #expect(configuration.admin.port == 9001)
        #expect(configuration.fort.fortAccounts.entries[0].account.merchantIdentifier == "0012")
    }

    @Test("Probes and metrics may leave loopback, on a listener of their own, and operators may not")
    func monitoringListener() throws {
        #expect(try read().monitoring == nil)
        #expect(
            try read(["PAYRELAY_MONITORING_HOST": "0.0.0.0"]).monitoring == .init(host: "0.0.0.0", port: 9464))
        #expect(
            try read(["PAYRELAY_MONITORING_HOST": "::", "PAYRELAY_MONITORING_PORT": "0"]).monitoring
                == .init(host: "::", port: 0))
        #expect(
            errors(["PAYRELAY_MONITORING_PORT": "9465"])
                == ["PAYRELAY_MONITORING_HOST is missing: PAYRELAY_MONITORING_PORT is set"])
        for host in ["0.0.0.0:9464", "[::]", "http://0.0.0.0"] {
            #expect(errors(["PAYRELAY_MONITORING_HOST": host]).count == 1)
        }
        #expect(errors(["PAYRELAY_ADMIN_HOST": "0.0.0.0"]).count == 1)
    }

    @Test("Two listeners of one host have two ports, unless the system chooses them")
    func refusesTwoListenersAtOneAddress() {
        #expect(
            errors(["PAYRELAY_HTTP_PORT": "8081"])
                == ["PAYRELAY_ADMIN_PORT is the same as PAYRELAY_HTTP_PORT, on the same host"])
        let monitoring = ["PAYRELAY_MONITORING_HOST": "127.0.0.1", "PAYRELAY_MONITORING_PORT": "8080"]
        #expect(errors(monitoring) == ["PAYRELAY_MONITORING_PORT is the same as PAYRELAY_HTTP_PORT, on the same host"])
        #expect(errors(monitoring.merging(["PAYRELAY_MONITORING_HOST": "192.0.2.1"]) { $1 }) == [])
        #expect(errors(["PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0"]) == [])
    }

    @Test func refusesUnknownNamesInTheFile() throws {
        let path = try temporaryFile("http:\n  prot: 9000\n")
        #expect(errors(file: path) == ["http.prot (\(path), line 2) is not a setting; did you mean http.port?"])
    }

    @Test("a name that lacks one word of a setting's names that setting")
    func refusesAShortName() throws {
        let named = errors(["PAYRELAY_PORT": "8080"])
        #expect(
            named == [
                "PAYRELAY_PORT is not a setting; did you mean PAYRELAY_HTTP_PORT or PAYRELAY_ADMIN_PORT or PAYRELAY_MONITORING_PORT?"
            ])
        #expect(errors(["PAYRELAY_COLOUR": "red"]) == ["PAYRELAY_COLOUR is not a setting"])
    }

    @Test func namesAFileThatCannotBeRead() {
        #expect(errors(file: "/no/such/file.yaml").contains { $0.contains("/no/such/file.yaml") })
    }
}

extension RelayConfiguration {
    /// The module for FORT.
    var fort: FortModule {
        // swift-format-ignore: NeverForceUnwrap
        // Safe: every configuration of these tests has an account at FORT.
        modules.compactMap { $0 as? FortModule }.first!
    }
}
