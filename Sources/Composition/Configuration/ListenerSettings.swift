import FortAPI
import HTTPListener

extension SettingReader {
    /// What clients may take of the public listener.
    ///
    /// - Parameter bodyBytes: the longest body that any route reads, in bytes.
    mutating func listenerLimits(bodyBytes: Int) -> ListenerLimits {
        let standard = ListenerLimits()
        let total = number(
            .httpBodyBytesTotalMax, default: max(standard.bodyBytesTotal, bodyBytes), in: 1_048_576...17_179_869_184)
        if total < bodyBytes {
            add("\(Setting.httpBodyBytesTotalMax.environmentName) must be at least the longest body, \(bodyBytes)")
        }
        return ListenerLimits(
            connections: number(.httpConnectionsMax, default: standard.connections, in: 1...1_000_000),
            headerBytes: number(.httpHeaderBytesMax, default: standard.headerBytes, in: 1_024...65_536),
            headTimeout: seconds(.httpHeadTimeoutSeconds, default: standard.headTimeout),
            bodyTimeout: seconds(.httpBodyTimeoutSeconds, default: standard.bodyTimeout),
            idleTimeout: seconds(.httpIdleTimeoutSeconds, default: standard.idleTimeout),
            bodyBytes: bodyBytes, bodyBytesTotal: total,
            requestsInFlight: number(.httpRequestsInFlightMax, default: standard.requestsInFlight, in: 1...100_000),
            clientRequestsPerSecond: text(.httpClientRequestsPerSecondMax) == nil
                ? nil : number(.httpClientRequestsPerSecondMax, default: 1, in: 1...100_000))
    }

    /// The names under which a listener may be asked, besides its own; nil where none are set.
    mutating func hosts(_ setting: Setting) -> [String]? {
        let none: [String] = []
        let names = value(setting, default: none, expected: "host names without ports, with commas between them") {
            text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
            return names.allSatisfy(AllowedHosts.isHost) ? names : nil
        }
        return names.isEmpty ? nil : names
    }

    /// How many requests to FORT are sent at once, and when the circuit breaker opens.
    mutating func fortLimits() -> FortLimits {
        let standard = FortLimits()
        return FortLimits(
            requestsInFlight: number(.fortRequestsInFlightMax, default: standard.requestsInFlight, in: 1...500),
            failures: number(.fortCircuitBreakerFailures, default: standard.failures, in: 1...1_000))
    }

    private mutating func seconds(_ setting: Setting, default standard: Duration) -> Duration {
        .seconds(number(setting, default: Int(standard.components.seconds), in: 1...3_600))
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
                add("\(certificate.environmentName) and \(key.environmentName) cannot be used: \(error)")
            }
            return files
        case (_?, nil): add("\(key.environmentName) is missing: \(certificate.environmentName) is set")
        case (nil, _?): add("\(certificate.environmentName) is missing: \(key.environmentName) is set")
        }
        return nil
    }
}
