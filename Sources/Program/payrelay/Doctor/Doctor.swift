import AccessControl
import ApplePayToken
import Composition
import FoundationEssentials
import GatewayModule
import Logging
import OutboundHTTP
import PaymentRelay
import RelayServer

/// Examines a relay's settings and their effects before the first real card is charged: gateways, Apple,
/// certificates, the clock, the journal, and the protection against outsiders.
///
/// Nothing is charged, and no token or event is sent. Gateways are queried about an order that does not exist,
/// and Apple for a merchant session that is not used. The journal's durability is measured with a separate row
/// that is not part of any payment.
struct Doctor: Sendable {
    private let configuration: RelayConfiguration
    private let token: PaymentToken?

    /// - Parameter token: a token from the merchant's app, of any age, if there is one.
    init(_ configuration: RelayConfiguration, token: PaymentToken? = nil) {
        self.configuration = configuration
        self.token = token
    }

    /// Runs all checks.
    ///
    /// - Parameter report: called with each diagnostic when it is made.
    func examine(_ report: (Diagnostic) -> Void) async {
        let client = OutboundClient()
        defer { client.shutdown() }
        for diagnostic in SafetyCheck(configuration).diagnostics { report(diagnostic) }
        for diagnostic in await keys(client) { report(diagnostic) }
        let webhook = configuration.events.map { MerchantWebhook($0, client: client) }
        report(await EventsCheck(webhook: webhook).diagnostic())
        for diagnostic in CertificateEnds(of: configuration).diagnostics(at: Date()) { report(diagnostic) }
        if let token { report(ProcessingCertificateCheck(configuration.tokenVerifier).diagnostic(for: token)) }
        var clock: Diagnostic?
        for module in configuration.modules {
            let (diagnostics, seenClock) = await module.diagnose(over: client)
            for diagnostic in diagnostics { report(diagnostic) }
            report(
                CapacityCheck(
                    gateway: type(of: module).name, requestsInFlight: module.requestsInFlight,
                    memory: MemoryLimit.current.bytes
                ).diagnostic)
            clock = clock ?? seenClock
        }
        if let clock { report(clock) }
        for diagnostic in await AppleCheck(configuration, client: client).diagnostics() { report(diagnostic) }
        for diagnostic in await JournalCheck(configuration.journal).diagnostics() { report(diagnostic) }
        for diagnostic in await missingAccounts() { report(diagnostic) }
        await instances().map(report)
    }

    /// Returns a failure for each account with open payments that is no longer configured, or whose name is
    /// another merchant's now. Empty if the journal cannot be read, which was already reported.
    private func missingAccounts() async -> [Diagnostic] {
        let logger = Logger(label: "doctor") { _ in SwiftLogNoOpLogHandler() }
        guard let journal = try? await configuration.journal.attach(),
            let detached = try? DetachedRelay(configuration, journal: journal, logger: logger)
        else { return [] }
        defer { detached.shutdown() }
        let missing = (try? await detached.relay.openPaymentsWithoutAccount()) ?? []
        return missing.map { open in
            let check = "open-payments:\(open.account)"
            guard let problem = open.problemOfOtherMerchant else {
                return .fail(
                    check,
                    "\(open.payments == 1 ? "1 payment is" : "\(open.payments) payments are") open, and their account is not configured: the gateway is not queried about them",
                    advice: "docs/runbook.md, Payments that stay uncertain.")
            }
            return .fail(
                check, "the relay does not start: the account \(problem)",
                advice: PaymentsWithoutAccount.adviceOnOtherMerchant)
        }
    }

    /// Returns the diagnostic on instances; `nil` if the journal allows only one instance, or cannot be read,
    /// which was already reported.
    private func instances() async -> Diagnostic? {
        guard case .postgres = configuration.journal,
            let register: any InstanceRegister = try? await configuration.journal.attach(),
            let count = try? await register.alive(at: Date())
        else { return nil }
        return InstancesCheck(
            instances: count,
            limits: configuration.modules.map { (type(of: $0).name, $0.requestsInFlight) },
            sharesLimits: configuration.sharesLimits
        ).diagnostic
    }

    /// Checks the keys of order tokens and of operators' tokens, if they are fetched from a URL.
    private func keys(_ client: OutboundClient) async -> [Diagnostic] {
        let checks = [
            configuration.access?.tokenKeysURL.map {
                TokenKeysCheck(check: "jwt-keys", setting: "PAYRELAY_JWT_KEYS_URL", url: $0)
            },
            configuration.operatorTokens.map {
                TokenKeysCheck(
                    check: "operator-keys", setting: "PAYRELAY_OPERATOR_TOKENS_KEYS_URL", url: $0.keysURL)
            },
        ]
        var diagnostics: [Diagnostic] = []
        for check in checks.compactMap({ $0 }) {
            diagnostics.append(await check.diagnostic { try await RemoteKeys.fetch($0, over: client) })
        }
        return diagnostics
    }
}
