public import AccessControl
import Observability
import PayrelayPrimitives
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
        tls = settings.tls(.httpTLSCertificateFile, .httpTLSKeyFile)
        trustedProxies = settings.value(
            .httpTrustedProxies, default: TrustedProxies(),
            expected: "addresses or CIDR blocks with commas between them"
        ) { TrustedProxies($0) }
        http = settings.publicListener(isAuthenticated: access != nil)
        bodyLimit = settings.number(.httpBodyBytesMax, default: 262_144, in: 1_024...16_777_216)
        limits = settings.listenerLimits(bodyBytes: max(bodyLimit, FortFeedback.sizeLimit))
        hosts = settings.hosts(.httpHosts)
        operators = settings.operators(of: sources)
        adminTLS = settings.tls(.adminTLSCertificateFile, .adminTLSKeyFile)
        adminHosts = settings.hosts(.adminHosts) ?? []
        admin = settings.adminListener(isProtected: operators != nil && adminTLS != nil)
        monitoring = settings.monitoringListener()
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
        processingCertificates = settings.processingCertificates()
        tokenVerifier = settings.verifier(processingCertificates.certificates)
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
    /// - Throws: ``ConfigurationError``, with all that is wrong with them and every name that is no setting.
    public static func adminListener(
        _ sources: ConfigurationSources
    ) throws(ConfigurationError) -> (address: ListenerAddress, tls: TLSFiles?) {
        var settings = SettingReader(sources)
        let tls = settings.tls(.adminTLSCertificateFile, .adminTLSKeyFile)
        let listener = settings.adminListener(isProtected: settings.isSet(.operators) && tls != nil)
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return (listener, tls)
    }

    /// The operators alone, for a command that lists them; nil where none are configured.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with them and every name that is no setting.
    public static func operators(_ sources: ConfigurationSources) throws(ConfigurationError) -> Operators? {
        var settings = SettingReader(sources)
        let operators = settings.operators(of: sources)
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return operators?.operators
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

    fileprivate mutating func journal() -> JournalPlace {
        if let place = JournalPlace(secret(.journal, default: "sqlite:payrelay.sqlite").exposed) {
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
}
