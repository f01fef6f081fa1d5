import HTTPListener
import PayrelayPrimitives

/// Where the listeners are: without authentication on loopback only, so that no other machine can pay or look.
extension SettingReader {
    /// - Parameter isAuthenticated: whether API keys or JWT keys are configured.
    mutating func publicListener(isAuthenticated: Bool) -> ListenerAddress {
        let host =
            isAuthenticated
            ? value(.httpHost, default: "127.0.0.1", expected: "a host") { $0 }
            : loopbackHost(
                .httpHost, "without PAYRELAY_API_KEYS or PAYRELAY_JWT_KEYS_FILE the service listens on loopback only")
        return ListenerAddress(host: host, port: number(.httpPort, default: 8080, in: Self.ports))
    }

    /// - Parameter isProtected: whether operators log in and the listener speaks TLS: without either the console stays on loopback.
    mutating func adminListener(isProtected: Bool) -> ListenerAddress {
        let host =
            isProtected
            ? value(.adminHost, default: "127.0.0.1", expected: "a host") { $0 }
            : loopbackHost(
                .adminHost,
                "without PAYRELAY_OPERATORS and PAYRELAY_ADMIN_TLS_CERTIFICATE_FILE operators call on loopback only")
        return ListenerAddress(host: host, port: number(.adminPort, default: 8081, in: Self.ports))
    }

    /// Probes and metrics hold nothing of a client, so their listener may leave loopback; nil where they are on the admin listener
    /// alone.
    mutating func monitoringListener() -> ListenerAddress? {
        let port = number(.monitoringPort, default: 9464, in: Self.ports)
        let host = value(.monitoringHost, default: "", expected: "a host or an address without a port") { host in
            IPAddress(host) != nil || (!host.contains(":") && AllowedHosts.isHost(host)) ? host : nil
        }
        guard host.isEmpty else { return ListenerAddress(host: host, port: port) }
        if text(.monitoringPort) != nil {
            add(
                "\(Setting.monitoringHost.environmentName) is missing: \(Setting.monitoringPort.environmentName) is set"
            )
        }
        return nil
    }

    /// Without the brackets of a URL, which no listener can be bound to.
    private mutating func loopbackHost(_ setting: Setting, _ reason: String) -> String {
        value(setting, default: "127.0.0.1", expected: "a loopback address or localhost: \(reason)") { host in
            IPAddress.isLoopback(host: host) && !host.hasPrefix("[") ? host : nil
        }
    }

    /// 0 takes one that is free; the log has it.
    private static let ports = 0...65_535
}
