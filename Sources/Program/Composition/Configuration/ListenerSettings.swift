import HTTPListener
import Settings

extension SettingReader {
    /// Reads the public listener's limits on connections, requests, bytes and time.
    ///
    /// - Parameter bodyBytes: the maximum size of a body that any route reads, in bytes.
    mutating func listenerLimits(bodyBytes: Int) -> ListenerLimits {
        let total = number(.httpBodyBytesTotalMax)
        if total < bodyBytes { fail(.httpBodyBytesTotalMax, "must be at least the longest body, \(bodyBytes)") }
        return ListenerLimits(
            connections: number(.httpConnectionsMax), headerBytes: number(.httpHeaderBytesMax),
            headTimeout: seconds(.httpHeadTimeoutSeconds), bodyTimeout: seconds(.httpBodyTimeoutSeconds),
            idleTimeout: seconds(.httpIdleTimeoutSeconds), bodyBytes: bodyBytes, bodyBytesTotal: total,
            requestsInFlight: number(.httpRequestsInFlightMax),
            clientRequestsPerSecond: optional(.httpClientRequestsPerSecondMax) { Int($0) })
    }

    /// Reads the host names that a listener accepts in addition to its own; `nil` if none are set.
    mutating func hosts(_ setting: Setting) -> [String]? {
        optional(setting) { text in
            let names = SettingKind.items(of: text)
            return names.allSatisfy(AllowedHosts.isHost) ? names : nil
        }
    }
}

extension SettingReader {
    /// Checks that no two listeners have the same address and port. A port that the system chooses is always
    /// different.
    mutating func checkPorts(_ listeners: [(port: Setting, address: ListenerAddress?)]) {
        var earlier: [(port: Setting, address: ListenerAddress)] = []
        for (port, address) in listeners {
            guard let address, address.port != 0 else { continue }
            if let other = earlier.first(where: { $0.address == address }) {
                fail(port, "is the same as \(other.port.name), on the same host")
            }
            earlier.append((port, address))
        }
    }

    /// Reads the certificate and key files of a listener's TLS; `nil` for plain HTTP. It is an error to set only
    /// one of them.
    mutating func tls(_ certificate: Setting, _ key: Setting) -> TLSFiles? {
        switch (text(certificate), text(key)) {
        case (nil, nil): return nil
        case (let certificateFile?, let keyFile?):
            let files = TLSFiles(certificateFile: certificateFile, keyFile: keyFile)
            do {
                _ = try ListenerCertificate(files)
            } catch {
                fail(certificate, "and \(key.name) cannot be used: \(error)")
            }
            return files
        case (_?, nil): fail(key, "is missing: \(certificate.name) is set")
        case (nil, _?): fail(certificate, "is missing: \(key.name) is set")
        }
        return nil
    }
}
