public import ApplePaySession
public import ApplePayToken
public import HTTPListener
public import Logging
public import MerchantWebhook
import PayrelayPrimitives
public import ProcessorModule
public import Settings

/// What the service is to do, read and checked once at the start.
public struct RelayConfiguration: Sendable {
    var allowedHosts: AllowedHosts {
        access != nil && hosts == nil ? .any : AllowedHosts((hosts ?? []) + [http.host])
    }

    /// Where apps call.
    public var http: ListenerAddress
    /// The longest request body that is read, in bytes.
    public var bodyLimit: Int
    /// Who may call; nil for everybody on this machine.
    public var access: AccessPolicy?
    /// What the public listener speaks TLS with; nil for plain HTTP.
    public var tls: TLSFiles?
    /// The proxies whose forwarding fields are trusted.
    public var trustedProxies: TrustedProxies
    /// The names under which the public listener may be asked, besides loopback names and its own address; nil for any where clients
    /// authenticate, and for no others where they do not.
    public var hosts: [String]?
    /// What clients together, and each of them, may take.
    public var limits: ListenerLimits
    /// Where operators call.
    public var admin: ListenerAddress
    /// Where probes and metrics are besides the admin listener; nil for nowhere.
    public var monitoring: ListenerAddress?
    /// The operators who may log in to the console; nil where there are none.
    public var operators: OperatorPolicy?
    /// What the admin listener speaks TLS with; nil for plain HTTP.
    public var adminTLS: TLSFiles?
    /// The names under which the admin listener may be asked, besides loopback names and its own address.
    public var adminHosts: [String]
    /// After so long a payment's client is answered, whether or not its outcome is known by then.
    public var answerAfter: Duration
    /// How long requests are still taken once the service is to stop, while it says that it is not ready.
    public var drainPause: Duration
    /// How long requests under way may take after that, before they are interrupted.
    public var stopAfter: Duration
    /// The payment gateways that have an account. Not empty.
    public var modules: [any ProcessorModule]
    /// How long a payment is uncertain before the gateway's "order not found" is final.
    public var notFoundAfter: Duration
    /// How long a capture, void or refund is uncertain before the gateway's totals, which do not show it, are final.
    public var operationNotFoundAfter: Duration
    /// What is open for longer is overdue and needs attention.
    public var overdueAfter: Duration
    /// How long answers are given again as they were; then what they tell of the customer is erased.
    public var retention: Duration
    /// nil relays tokens without looking.
    public var tokenVerifier: TokenVerifier?
    /// The merchant's payment processing certificates, which the verifier and the metrics share.
    public var processingCertificates: ProcessingCertificateFiles
    /// nil where Apple Pay on the web is not set up.
    public var applePaySessions: SessionSettings?
    /// What Apple reads to see that the domain is the merchant's, if any.
    public var applePayDomainFile: [UInt8]?
    /// Where events are sent; nil for nowhere.
    public var events: MerchantWebhook.Settings?
    /// Nil where spans go nowhere.
    public var tracing: TracingSettings?
    public var journal: JournalPlace
    public var logLevel: Logger.Level
    /// The settings as they may be shown; nil where they come from no environment and no file.
    public var report: ConfigurationReport?
}
