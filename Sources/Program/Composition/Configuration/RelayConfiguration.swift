public import ApplePaySession
public import ApplePayToken
public import HTTPListener
public import Logging
public import MerchantWebhook
import PayrelayPrimitives
public import GatewayModule
public import Settings

/// Configuration of the service, read and checked once at the start.
public struct RelayConfiguration: Sendable {
    var allowedHosts: AllowedHosts {
        access != nil && hosts == nil ? .any : AllowedHosts((hosts ?? []) + [http.host])
    }

    /// Address of the public listener, for clients.
    public var http: ListenerAddress
    /// The longest request body that is read, in bytes.
    public var bodyLimit: Int
    /// Authentication of clients; nil for none, which is possible on loopback only.
    public var access: AccessPolicy?
    /// Certificate and key of the public listener's TLS; nil for plain HTTP.
    public var tls: TLSFiles?
    /// The proxies whose forwarding fields are trusted.
    public var trustedProxies: TrustedProxies
    /// The names under which the public listener may be asked, besides loopback names and its own address; nil for any where clients
    /// authenticate, and for no others where they do not.
    public var hosts: [String]?
    /// Limits of the public listener, for all clients together and for each of them.
    public var limits: ListenerLimits
    /// Address of the admin listener, for operators.
    public var admin: ListenerAddress
    /// Address of a further listener for probes and metrics, beside the admin listener; nil for none.
    public var monitoring: ListenerAddress?
    /// The operators who may log in to the console; nil if there are none.
    public var operators: OperatorPolicy?
    /// How a proxy tells whom it has signed in to the console; nil where none does.
    public var operatorTokens: OperatorTokenPolicy?
    /// Certificate and key of the admin listener's TLS; nil for plain HTTP.
    public var adminTLS: TLSFiles?
    /// The names under which the admin listener may be asked, besides loopback names and its own address.
    public var adminHosts: [String]
    /// Time after which a payment's client is answered, whether or not the outcome is known by then.
    public var answerAfter: Duration
    /// How long requests are still taken once the service is to stop, while it says that it is not ready.
    public var drainPause: Duration
    /// How long requests under way may take after that, before they are interrupted.
    public var stopAfter: Duration
    /// The payment gateways that have an account. Not empty.
    public var modules: [any GatewayModule]
    /// How long a payment is uncertain before the gateway's "order not found" is final.
    public var notFoundAfter: Duration
    /// How long a capture, void or refund is uncertain before the gateway's totals, which do not show it, are final.
    public var operationNotFoundAfter: Duration
    /// How long a payment may be open before it is overdue and needs attention.
    public var overdueAfter: Duration
    /// How long stored answers are replayed unchanged; then the customer's data in them is erased.
    public var retention: Duration
    /// Where old payments are moved to; nil for nowhere.
    public var archive: PaymentArchive?
    /// Since the last change of payments that are moved there by the relay itself, daily; nil where it does not.
    public var archiveAfter: Duration?
    /// Verifier of payment tokens; nil relays tokens unverified.
    public var tokenVerifier: TokenVerifier?
    /// The merchant's payment processing certificates, which the verifier and the metrics share.
    public var processingCertificates: ProcessingCertificateFiles
    /// Settings of Apple Pay sessions; nil if Apple Pay on the web is not set up.
    public var applePaySessions: SessionSettings?
    /// Content of the file with which Apple verifies the merchant's domain; nil if none is configured.
    public var applePayDomainFile: [UInt8]?
    /// Webhook of the merchant's backend; nil if no events are sent.
    public var events: MerchantWebhook.Settings?
    /// Settings of the export of spans; nil if they are not exported.
    public var tracing: TracingSettings?
    public var journal: JournalPlace
    /// Whether limits of what is the merchant's as a whole are divided among the instances on the journal.
    public var sharesLimits: Bool
    public var logLevel: Logger.Level
    /// The settings without secrets; nil if they come from neither the environment nor a file.
    public var report: ConfigurationReport?
}

extension RelayConfiguration {
    /// Whether a gateway moves real money.
    public var takesRealMoney: Bool { modules.contains(where: \.takesRealMoney) }

    /// The trust anchor of tokens, where it is not Apple's and real money is moved: its key signs tokens of no customer. Nil otherwise.
    public var foreignTrustAnchor: TrustAnchor? {
        guard takesRealMoney, let anchor = tokenVerifier?.anchor, anchor != .appleRootCAG3 else { return nil }
        return anchor
    }
}
