import HTTPListener
import PayrelayPrimitives
import Settings

/// The addresses of the listeners. Without authentication they must be on loopback, so that no other machine can
/// pay or read payments.
extension SettingReader {
    /// Reads the address of the public listener.
    ///
    /// - Parameter isAuthenticated: whether API keys or JWT keys are configured.
    mutating func publicListener(isAuthenticated: Bool) -> ListenerAddress {
        let host =
            isAuthenticated
            ? value(.httpHost) { $0 }
            : loopbackHost(
                .httpHost, "without PAYRELAY_API_KEYS or PAYRELAY_JWT_KEYS_FILE the service listens on loopback only")
        return ListenerAddress(host: host, port: number(.httpPort))
    }

    /// Reads the address of the admin listener.
    ///
    /// - Parameter isProtected: whether operators log in and the listener has TLS. If either is missing, the
    ///   console must be on loopback.
    mutating func adminListener(isProtected: Bool) -> ListenerAddress {
        let host =
            isProtected
            ? value(.adminHost) { $0 }
            : loopbackHost(
                .adminHost,
                "without PAYRELAY_OPERATORS and PAYRELAY_ADMIN_TLS_CERTIFICATE_FILE operators call on loopback only")
        return ListenerAddress(host: host, port: number(.adminPort))
    }

    /// Reads the address of the monitoring listener; `nil` if probes and metrics are only on the admin listener.
    /// It need not be on loopback, because probes and metrics contain no client's data.
    mutating func monitoringListener() -> ListenerAddress? {
        let port = number(.monitoringPort)
        if text(.monitoringHost) == nil, isChanged(.monitoringPort) {
            fail(.monitoringHost, "is missing: \(Setting.monitoringPort.name) is set")
        }
        let host = optional(.monitoringHost) { host in
            IPAddress(host) != nil || (!host.has(":") && AllowedHosts.isHost(host)) ? host : nil
        }
        return host.map { ListenerAddress(host: $0, port: port) }
    }

    /// Reads a loopback host. An address in a URL's brackets is rejected, because a listener cannot be bound to
    /// it.
    private mutating func loopbackHost(_ setting: Setting, _ reason: String) -> String {
        value(setting, requirement: "a loopback address or localhost: \(reason)") { host in
            IPAddress.isLoopback(host: host) && !host.begins(with: "[") ? host : nil
        }
    }
}
