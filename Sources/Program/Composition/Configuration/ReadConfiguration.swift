public import AccessControl
import ApplePayToken
import FoundationEssentials
public import GatewayModule
public import HTTPListener
import Logging
import Observability
import PaymentRelay
import PayrelayPrimitives
public import Settings

extension RelayConfiguration {
    /// Reads and checks every setting.
    ///
    /// - Throws: ``ConfigurationError`` with every problem.
    public init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        var settings = SettingReader(sources)
        let modules = GatewayModules.read(&settings)
        try self.init(&settings, modules)
        report = ConfigurationReport(sources)
    }

    /// Creates the configuration with the default of every setting, for the given gateways.
    ///
    /// - Throws: never, because nothing is set that could be wrong.
    public init(modules: [any GatewayModule]) throws(ConfigurationError) {
        var settings = SettingReader(ConfigurationSources(.relay))
        try self.init(&settings, modules)
    }

    /// - Parameter modules: the gateways; empty if their settings are wrong, which is among the errors.
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

    /// Returns the admin listener's address, for a command that queries a running service. Other settings are not
    /// checked. The TLS files are not read, because they may be in the middle of a renewal, and the service uses
    /// the files that it read before.
    ///
    /// - Throws: ``ConfigurationError`` with every problem of these settings, and every name that is not a
    ///   setting.
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

    /// Returns the place of the journal, for a command that needs no other setting.
    ///
    /// - Throws: ``ConfigurationError`` with every problem of this setting, and every name that is not a setting.
    public static func journal(_ sources: ConfigurationSources) throws(ConfigurationError) -> JournalPlace {
        var settings = SettingReader(sources)
        let journal = settings.journal()
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return journal
    }

    /// Returns the archive, for a command that needs no other setting; `nil` if none is configured.
    ///
    /// - Throws: ``ConfigurationError`` with every problem of these settings, and every name that is not a
    ///   setting.
    public static func archive(_ sources: ConfigurationSources) throws(ConfigurationError) -> PaymentArchive? {
        var settings = SettingReader(sources)
        let archive = settings.archive().archive
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return archive
    }

    /// Returns the API keys, for a command that lists them; `nil` if none are configured.
    ///
    /// - Throws: ``ConfigurationError`` with every problem of these settings, and every name that is not a
    ///   setting.
    public static func apiKeys(_ sources: ConfigurationSources) throws(ConfigurationError) -> APIKeys? {
        var settings = SettingReader(sources)
        let keys = settings.apiKeys()
        guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
        return keys
    }

    /// Returns the operators, for a command that lists them; `nil` if none are configured.
    ///
    /// - Throws: ``ConfigurationError`` with every problem of these settings, and every name that is not a
    ///   setting.
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

    /// Reads the place of the journal.
    ///
    /// - Returns: the journal; a journal in memory if the setting is wrong, which is an error.
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
