import HTTPListener
import PayrelayPrimitives
import Settings

/// Where the listeners are: without authentication on loopback only, so that no other machine can pay or look.
extension SettingReader {
    /// - Parameter isAuthenticated: whether API keys or JWT keys are configured.
    mutating func publicListener(isAuthenticated: Bool) -> ListenerAddress {
        let host =
            isAuthenticated
            ? value(.httpHost) { $0 }
            : loopbackHost(
                .httpHost, "without PAYRELAY_API_KEYS or PAYRELAY_JWT_KEYS_FILE the service listens on loopback only")
        return ListenerAddress(host: host, port: number(.httpPort))
    }

    /// - Parameter isProtected: whether operators log in and the listener speaks TLS: without either the console stays on loopback.
    mutating func adminListener(isProtected: Bool) -> ListenerAddress {
        let host =
            isProtected
            ? value(.adminHost) { $0 }
            : loopbackHost(
                .adminHost,
                "without PAYRELAY_OPERATORS and PAYRELAY_ADMIN_TLS_CERTIFICATE_FILE operators call on loopback only")
        return ListenerAddress(host: host, port: number(.adminPort))
    }

    /// Probes and metrics hold nothing of a client, so their listener may leave loopback; nil where they are on the admin listener
    /// alone.
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

    /// Without the brackets of a URL, which no listener can be bound to.
    private mutating func loopbackHost(_ setting: Setting, _ reason: String) -> String {
        value(setting, requirement: "a loopback address or localhost: \(reason)") { host in
            IPAddress.isLoopback(host: host) && !host.begins(with: "[") ? host : nil
        }
    }
}
