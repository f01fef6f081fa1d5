import Observability
import Primitives
import ApplePayToken
public import FortAPI
public import HTTPListener
import FoundationEssentials
import Logging

extension RelayConfiguration {
    /// Reads and checks every setting.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong.
    public init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        var settings = SettingReader(sources)
        let day = 86_400

        access = settings.access(of: sources)
        tls = settings.tls()
        trustedProxies = settings.value(
            .httpTrustedProxies, default: TrustedProxies(),
            expected: "addresses or CIDR blocks with commas between them"
        ) { TrustedProxies($0) }
        http = ListenerAddress(
            host: access == nil
                ? settings.value(.httpHost, default: "127.0.0.1", expected: Self.unauthenticated, Self.loopback)
                : settings.value(.httpHost, default: "127.0.0.1", expected: "a host") { $0 },
            port: settings.number(.httpPort, default: 8080, in: Self.ports))
        bodyLimit = settings.number(.httpBodyBytesMax, default: 262_144, in: 1_024...16_777_216)
        limits = settings.listenerLimits(bodyBytes: max(bodyLimit, FortFeedback.sizeLimit))
        hosts = settings.hosts()
        admin = Self.admin(&settings)
        fortEndpoint = settings.endpoint()
        let accounts = settings.accounts()
        let timeoutSeconds = settings.number(.fortTimeoutSeconds, default: 30, in: 1...300)
        fortTimeout = .seconds(timeoutSeconds)
        fortLimits = settings.fortLimits()
        answerAfter = .seconds(settings.number(.answerAfterSeconds, default: 20, in: 1...300))
        drainPause = .seconds(settings.number(.drainSeconds, default: 0, in: 0...300))
        // A charge that is under way ends by FORT's timeout; what comes on top is for its journal entry and its answer.
        stopAfter = .seconds(settings.number(.stopSeconds, default: timeoutSeconds + 5, in: 1...600))
        notFoundAfter = .seconds(settings.number(.notFoundAfterSeconds, default: 60, in: 1...day))
        operationNotFoundAfter = .seconds(
            settings.number(.operationNotFoundAfterSeconds, default: 3_600, in: 1...30 * day))
        overdueAfter = .seconds(settings.number(.overdueAfterSeconds, default: 900, in: 1...30 * day))
        retention = .seconds(settings.number(.retentionDays, default: 30, in: 7...3_650) * day)
        tokenVerifier = settings.verifier()
        applePaySessions = settings.applePaySessions()
        applePayDomainFile = settings.applePayDomainFile()
        events = settings.events()
        tracing = settings.tracing()
        journal = settings.journal()
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        logLevel = settings.value(.logLevel, default: .info, expected: "one of \(levels)") {
            Logger.Level(rawValue: $0)
        }

        guard settings.errors.isEmpty, let accounts else { throw ConfigurationError(errors: settings.errors) }
        fortAccounts = accounts
    }

    /// The admin listener's settings alone, for a command that asks a running service.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with those two and every name that is no setting.
    public static func adminListener(_ sources: ConfigurationSources) throws(ConfigurationError) -> ListenerAddress {
        var settings = SettingReader(sources)
        let listener = admin(&settings)
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return listener
    }

    /// The FORT accounts alone, for a sandbox that is to know the same.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with them and every name that is no setting.
    public static func fortAccounts(_ sources: ConfigurationSources) throws(ConfigurationError) -> FortAccounts {
        var settings = SettingReader(sources)
        guard let accounts = settings.accounts(), settings.errors.isEmpty else {
            throw ConfigurationError(errors: settings.errors)
        }
        return accounts
    }

    private static func admin(_ settings: inout SettingReader) -> ListenerAddress {
        ListenerAddress(
            host: settings.value(.adminHost, default: "127.0.0.1", expected: loopbackOnly, loopback),
            port: settings.number(.adminPort, default: 8081, in: ports))
    }

    /// 0 takes one that is free; the log has it.
    private static let ports = 0...65_535
    private static let loopbackOnly = "a loopback address or localhost: operators are not authenticated"
    private static let unauthenticated =
        "a loopback address or localhost: without PAYRELAY_API_KEYS or PAYRELAY_JWT_KEYS_FILE the service listens on loopback only"

    /// Without the brackets of a URL, which no listener can be bound to.
    private static func loopback(_ host: String) -> String? {
        IPAddress.isLoopback(host: host) && !host.hasPrefix("[") ? host : nil
    }
}

extension RelayConfiguration.JournalPlace {
    init?(_ text: String) {
        if text == "memory:" {
            self = .memory
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: Secret(text))
        } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
            self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
        } else {
            return nil
        }
    }
}

extension SettingReader {
    fileprivate mutating func tracing() -> TracingSettings? {
        let percent = number(.tracingSampledPercent, default: 100, in: 0...100)
        guard let url = text(.tracingOTLPURL) else { return nil }
        if !SpanExporter.takes(url: url) {
            add("\(Setting.tracingOTLPURL.environmentName) must be an https URL (plain http on loopback only)")
        }
        return TracingSettings(url: url, sampledPercent: percent)
    }

    fileprivate mutating func journal() -> RelayConfiguration.JournalPlace {
        if let place = RelayConfiguration.JournalPlace(secret(.journal, default: "sqlite:payrelay.sqlite").exposed) {
            return place
        }
        add("\(Setting.journal.environmentName) must be sqlite:PATH, postgres://… or memory:")
        return .memory
    }

    fileprivate mutating func endpoint() -> FortEndpoint {
        value(.fortEndpoint, default: .test, expected: "an https URL (plain http on loopback only)") {
            try? FortEndpoint($0)
        }
    }

    /// nil where the operator asked for tokens to be relayed unchecked.
    fileprivate mutating func verifier() -> TokenVerifier? {
        let isRequired = value(.tokenVerification, default: true, expected: "required or off") { text in
            ["required": true, "off": false][text]
        }
        let freshness = number(.tokenFreshnessSeconds, default: 300, in: 1...86_400)
        let path = value(.tokenTrustAnchorFile, default: String?.none, expected: "a path") { $0 }
        var anchor = TrustAnchor.appleRootCAG3
        if let path {
            do {
                anchor = try TrustAnchor(pem: String(ofFile: path))
            } catch {
                add("\(Setting.tokenTrustAnchorFile.environmentName) cannot be used: \(path): \(error)")
            }
        }
        let certificates = processingCertificates()
        let words = SandboxSigners.allCases.map(\.rawValue).joined(separator: " or ")
        let sandboxSigners = value(.tokenSandboxSigners, default: .accepted, expected: words) {
            SandboxSigners(rawValue: $0)
        }
        guard isRequired else { return nil }
        return TokenVerifier(
            anchor: anchor, freshness: freshness, processingCertificates: certificates, sandboxSigners: sandboxSigners)
    }

    private mutating func processingCertificates() -> [ProcessingCertificate] {
        let setting = Setting.tokenProcessingCertificateFiles
        let paths = value(setting, default: [], expected: "paths with commas between them") { text in
            text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingPrefix { $0 == " " } }
        }
        var certificates: [ProcessingCertificate] = []
        for path in paths {
            do {
                let text = try String(ofFile: String(path))
                certificates.append(try ProcessingCertificate(pem: text))
            } catch {
                add("\(setting.environmentName) cannot be used: \(path): \(error)")
            }
        }
        return certificates
    }
}
