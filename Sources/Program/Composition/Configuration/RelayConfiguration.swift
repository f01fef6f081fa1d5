public import ApplePaySession
public import ApplePayToken
public import GatewayModule
public import HTTPListener
public import Logging
import PayrelayPrimitives
public import RelayServer
public import Settings

/// The configuration of the service, read and checked once at the start.
public struct RelayConfiguration: Sendable {
    var allowedHosts: AllowedHosts {
        access != nil && hosts == nil ? .any : AllowedHosts((hosts ?? []) + [http.host])
    }

    /// The address of the public listener, for clients.
    public var http: ListenerAddress
    /// The maximum size of a request body, in bytes.
    public var bodyLimit: Int
    /// The authentication of clients; `nil` for none, which is allowed only on loopback.
    public var access: AccessPolicy?
    /// The certificate and key for the public listener's TLS; `nil` for plain HTTP.
    public var tls: TLSFiles?
    /// The proxies whose forwarding fields are trusted.
    public var trustedProxies: TrustedProxies
    /// The host names that the public listener accepts in addition to loopback names and its own address. If it
    /// is `nil`, the listener accepts any name if clients authenticate, and no further names if they do not.
    public var hosts: [String]?
    /// The limits of the public listener, for all clients together and for each client.
    public var limits: ListenerLimits
    /// The address of the admin listener, for operators.
    public var admin: ListenerAddress
    /// The address of a further listener for probes and metrics, besides the admin listener; `nil` for none.
    public var monitoring: ListenerAddress?
    /// The operators who may log in to the console; `nil` if there are none.
    public var operators: OperatorPolicy?
    /// The settings for operators whom a proxy signs in to the console; `nil` if there is no such proxy.
    public var operatorTokens: OperatorTokenPolicy?
    /// The certificate and key for the admin listener's TLS; `nil` for plain HTTP.
    public var adminTLS: TLSFiles?
    /// The host names that the admin listener accepts in addition to loopback names and its own address.
    public var adminHosts: [String]
    /// The time after which a payment's client gets a response, even if the outcome is not known by then.
    public var answerAfter: Duration
    /// How long requests are still accepted after the service was told to stop. In that time it reports that it
    /// is not ready.
    public var drainPause: Duration
    /// How long requests under way may continue after that before they are interrupted.
    public var stopAfter: Duration
    /// The payment gateways that have an account; never empty.
    public var modules: [any GatewayModule]
    /// How long a payment must be uncertain before the gateway's answer "order not found" is final.
    public var notFoundAfter: Duration
    /// How long a capture, void or refund must be uncertain before it is final that the gateway's totals do not
    /// include it.
    public var operationNotFoundAfter: Duration
    /// How long a payment may be open before it is overdue and needs attention.
    public var overdueAfter: Duration
    /// How long stored responses are replayed unchanged. After that, the customer's data in them is erased.
    public var retention: Duration
    /// The archive to which old payments are moved; `nil` for none.
    public var archive: PaymentArchive?
    /// The time since a payment's last change after which the relay moves it to the archive, daily; `nil` if the
    /// relay moves none.
    public var archiveAfter: Duration?
    /// The verifier of payment tokens; `nil` if tokens are relayed without verification.
    public var tokenVerifier: TokenVerifier?
    /// The merchant's payment processing certificates, which the verifier and the metrics share.
    public var processingCertificates: ProcessingCertificateFiles
    /// The settings of Apple Pay sessions; `nil` if Apple Pay on the web is not configured.
    public var applePaySessions: SessionSettings?
    /// The content of the file with which Apple verifies the merchant's domain; `nil` if none is configured.
    public var applePayDomainFile: [UInt8]?
    /// The webhook of the merchant's backend; `nil` if no events are sent.
    public var events: MerchantWebhook.Settings?
    /// The settings for exporting spans; `nil` if they are not exported.
    public var tracing: TracingSettings?
    public var journal: JournalPlace
    /// Whether limits that apply to the merchant as a whole are divided among the instances on the journal.
    public var sharesLimits: Bool
    public var logLevel: Logger.Level
    /// The settings without secrets; `nil` if they come from neither the environment nor a file.
    public var report: ConfigurationReport?
}

extension RelayConfiguration {
    /// Whether any gateway moves real money.
    public var takesRealMoney: Bool { modules.contains(where: \.takesRealMoney) }

    /// The trust anchor of tokens if it is not Apple's although real money is moved; `nil` otherwise. Tokens that
    /// its key signs are not from customers.
    public var foreignTrustAnchor: TrustAnchor? {
        guard takesRealMoney, let anchor = tokenVerifier?.anchor, anchor != .appleRootCAG3 else { return nil }
        return anchor
    }
}
