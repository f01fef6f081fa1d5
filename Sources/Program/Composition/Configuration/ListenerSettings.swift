import Settings
import HTTPListener

extension SettingReader {
    /// What clients may take of the public listener.
    ///
    /// - Parameter bodyBytes: the longest body that any route reads, in bytes.
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

    /// The names under which a listener may be asked, besides its own; nil where none are set.
    mutating func hosts(_ setting: Setting) -> [String]? {
        optional(setting) { text in
            let names = SettingKind.items(of: text)
            return names.allSatisfy(AllowedHosts.isHost) ? names : nil
        }
    }
}

extension SettingReader {
    /// What a listener speaks TLS with; nil where it does not.
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
