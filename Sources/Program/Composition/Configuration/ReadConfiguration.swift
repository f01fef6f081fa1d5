public import AccessControl
import Observability
import PaymentRelay
import PayrelayPrimitives
import ApplePayToken
public import GatewayModule
public import Settings
public import HTTPListener
import FoundationEssentials
import Logging

extension RelayConfiguration {
    /// Reads and checks every setting.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong.
    public init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        var settings = SettingReader(sources)
        let modules = GatewayModules.read(&settings)
        try self.init(&settings, modules)
        report = ConfigurationReport(sources)
    }

    /// The default of every setting, for these gateways.
    ///
    /// - Throws: never, for nothing is set that could be wrong.
    public init(modules: [any GatewayModule]) throws(ConfigurationError) {
        var settings = SettingReader(ConfigurationSources(.relay))
        try self.init(&settings, modules)
    }

    /// - Parameter modules: empty where they are wrong, which is among the errors.
    private init(_ settings: inout SettingReader, _ modules: [any GatewayModule]) throws(ConfigurationError) {
        access = settings.access()
        tls = settings.tls(.httpTLSCertificateFile, .httpTLSKeyFile)
        trustedProxies = settings.optional(.httpTrustedProxies) { TrustedProxies($0) } ?? TrustedProxies()
        http = settings.publicListener(isAuthenticated: access != nil)
        bodyLimit = settings.number(.httpBodyBytesMax)
        limits = settings.listenerLimits(
            bodyBytes: max(bodyLimit, GatewayModules.all.map { $0.longestMessage }.max() ?? 0))
        hosts = settings.hosts(.httpHosts)
        operators = settings.operators()
        operatorTokens = settings.operatorTokens()
        adminTLS = settings.tls(.adminTLSCertificateFile, .adminTLSKeyFile)
        adminHosts = settings.hosts(.adminHosts) ?? []
        admin = settings.adminListener(isProtected: (operators != nil || operatorTokens != nil) && adminTLS != nil)
        monitoring = settings.monitoringListener()
        settings.checkPorts([(.httpPort, http), (.adminPort, admin), (.monitoringPort, monitoring)])
        answerAfter = settings.seconds(.answerAfterSeconds)
        drainPause = settings.seconds(.drainSeconds)
        stopAfter = settings.seconds(.stopSeconds)
        notFoundAfter = settings.seconds(.notFoundAfterSeconds)
        operationNotFoundAfter = settings.seconds(.operationNotFoundAfterSeconds)
        overdueAfter = settings.seconds(.overdueAfterSeconds)
        retention = .seconds(settings.number(.retentionDays) * 86_400)
        (archive, archiveAfter) = settings.archive()
        processingCertificates = settings.processingCertificates()
        tokenVerifier = settings.verifier(processingCertificates.certificates)
        applePaySessions = settings.applePaySessions()
        applePayDomainFile = settings.applePayDomainFile()
        events = settings.events()
        tracing = settings.tracing()
        journal = settings.journal()
        sharesLimits = settings.sharesLimits(on: journal)
        logLevel = settings.choice(.logLevel)

        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        self.modules = modules
        do throws(AccountsError) {
            try Gateways.check(modules.flatMap(\.accounts))
        } catch {
            throw ConfigurationError(errors: [
                SettingError(
                    name: "accounts", source: settings.sources.filePath.map { .file(path: $0, line: 1) },
                    problem: "cannot be used: \(error)", advice: "Each account has a name and currencies of its own.")
            ])
        }
    }

    /// The admin listener's settings alone, for a command that asks a running service. The files of its TLS are not read: they may be
    /// in the middle of a renewal, and the service uses what it read before.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with them and every name that is no setting.
    public static func adminListener(
        _ sources: ConfigurationSources
    ) throws(ConfigurationError) -> (address: ListenerAddress, usesTLS: Bool) {
        var settings = SettingReader(sources)
        let usesTLS = settings.text(.adminTLSCertificateFile) != nil
        let listener = settings.adminListener(
            isProtected: (settings.isSet(.operators) || settings.isSet(.operatorTokensHeader)) && usesTLS)
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return (listener, usesTLS)
    }

    /// Where the journal is, for a command that needs no other setting.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with it and every name that is no setting.
    public static func journal(_ sources: ConfigurationSources) throws(ConfigurationError) -> JournalPlace {
        var settings = SettingReader(sources)
        let journal = settings.journal()
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return journal
    }

    /// The archive's directory, for a command that needs no other setting; nil where none is configured.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with it and every name that is no setting.
    public static func archive(_ sources: ConfigurationSources) throws(ConfigurationError) -> PaymentArchive? {
        var settings = SettingReader(sources)
        let archive = settings.archive().archive
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return archive
    }

    /// The API keys alone, for a command that lists them; `nil` if none are configured.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with them and every name that is no setting.
    public static func apiKeys(_ sources: ConfigurationSources) throws(ConfigurationError) -> APIKeys? {
        var settings = SettingReader(sources)
        let keys = settings.apiKeys()
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return keys
    }

    /// The operators alone, for a command that lists them; nil where none are configured.
    ///
    /// - Throws: ``ConfigurationError``, with all that is wrong with them and every name that is no setting.
    public static func operators(_ sources: ConfigurationSources) throws(ConfigurationError) -> Operators? {
        var settings = SettingReader(sources)
        let operators = settings.operators()
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return operators?.operators
    }
}

extension SettingReader {
    fileprivate mutating func tracing() -> TracingSettings? {
        let percent = number(.tracingSampledPercent)
        return optional(.tracingOTLPURL) { SpanExporter.takes(url: $0) ? $0 : nil }
            .map { TracingSettings(url: $0, sampledPercent: percent) }
    }

    fileprivate mutating func archive() -> (archive: PaymentArchive?, after: Duration?) {
        let archive = optional(.archiveDirectory) { $0.isEmpty ? nil : PaymentArchive(directory: $0) }
        let days = optional(.archiveAfterDays) { Int($0) }
        if days != nil, archive == nil {
            fail(.archiveAfterDays, "needs \(Setting.archiveDirectory.key)", advice: "Set both, or neither.")
        }
        return (archive, days.map { .seconds($0 * 86_400) })
    }

    /// - Returns: the one in memory where anything is wrong, which is an error.
    fileprivate mutating func journal() -> JournalPlace {
        guard let text = readable(.journal) else { return .memory }
        if let place = JournalPlace(text.exposed) { return place }
        fail(.journal, "must be \(Setting.journal.kind.requirement)")
        return .memory
    }

    fileprivate mutating func sharesLimits(on journal: JournalPlace) -> Bool {
        guard value(.instancesShareLimits, { Bool($0) }) == true else { return false }
        if case .postgres = journal { return true }
        fail(.instancesShareLimits, "is true, and only a postgres:// journal has several instances")
        return false
    }
}
