import AccessControl
import ApplePayToken
import Composition
import GatewayModule
import HTTPListener
import PayrelayPrimitives

/// Checks that need only the settings: token verification, authentication of clients, TLS and limits.
struct SafetyCheck {
    private let configuration: RelayConfiguration

    init(_ configuration: RelayConfiguration) {
        self.configuration = configuration
    }

    var diagnostics: [Diagnostic] {
        [verification, sandboxSigners, processingCertificates, clients, transport, rateLimit]
            .compactMap { $0 }
    }

    private var verification: Diagnostic {
        if configuration.tokenVerifier == nil {
            return .fail(
                "token-verification", "it is off: any token is relayed",
                advice: "Remove PAYRELAY_TOKEN_VERIFICATION=off.")
        }
        if let anchor = configuration.foreignTrustAnchor {
            return .fail(
                "token-verification",
                "tokens of another root than Apple's are accepted in production: \(anchor.commonName)",
                advice: "Remove PAYRELAY_TOKEN_TRUST_ANCHOR_FILE.")
        }
        return .pass("token-verification", "every token is verified before the gateway gets it")
    }

    private var sandboxSigners: Diagnostic? {
        guard configuration.takesRealMoney, configuration.tokenVerifier?.sandboxSigners == .accepted else { return nil }
        return .fail(
            "sandbox-signers", "tokens of Apple's sandbox are accepted in production",
            advice: "Set PAYRELAY_TOKEN_SANDBOX_SIGNERS=refused.")
    }

    private var processingCertificates: Diagnostic {
        let certificates = configuration.processingCertificates.certificates.all
        return certificates.isEmpty
            ? .unknown(
                "processing-certificate", "no processing certificate is named",
                advice:
                    "Set PAYRELAY_TOKEN_PROCESSING_CERTIFICATE_FILES: a token for another certificate is then refused with that reason. A gateway would give no reason."
            )
            : .pass(
                "processing-certificate",
                "tokens must be for \(certificates.map { "\($0.subject), key \($0.publicKeyHash.text)" }.joined(separator: " or "))"
            )
    }

    private var clients: Diagnostic {
        guard let access = configuration.access else {
            return .fail(
                "clients", "no client is authenticated: the relay listens on loopback only",
                advice: "payrelay keys generate NAME --scopes …, and PAYRELAY_API_KEYS_FILE.")
        }
        var means: [String] = []
        if !access.apiKeys.entries.isEmpty { means.append(access.apiKeys.entries.count.counting("API key")) }
        if !access.tokenKeys.isEmpty { means.append("JWTs by \(access.tokenKeys.count.counting("key"))") }
        if access.tokenKeysURL != nil { means.append("JWTs by the keys at a URL") }
        return .pass("clients", "authenticated by \(means.joined(separator: ", "))")
    }

    private var transport: Diagnostic {
        if configuration.tls != nil { return .pass("tls", "the public listener speaks TLS") }
        let host = configuration.http.host
        return IPAddress.isLoopback(host: host)
            ? .unknown(
                "tls", "the public listener is at \(host), without TLS",
                advice: "A proxy on this machine has to terminate TLS: docs/authentication.md, TLS.")
            : .unknown(
                "tls", "the public listener is at \(host), without TLS",
                advice:
                    "Keys, order tokens and payment tokens go over the network in clear unless a proxy terminates TLS. Set PAYRELAY_HTTP_TLS_CERTIFICATE_FILE, or PAYRELAY_HTTP_TRUSTED_PROXIES to the proxy."
            )
    }

    private var rateLimit: Diagnostic {
        configuration.limits.clientRequestsPerSecond.map {
            .pass("rate-limit", "each client may send \($0.counting("request")) a second")
        }
            ?? .unknown(
                "rate-limit", "no client has a rate limit",
                advice: "Set PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX if apps call directly.")
    }
}
