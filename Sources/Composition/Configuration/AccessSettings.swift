import PayrelayPrimitives
import AccessControl
import FoundationEssentials
import OutboundHTTP
import RelayServer

extension SettingReader {
    /// How clients authenticate; nil where nothing of the kind is configured.
    ///
    /// - Parameter sources: those that are read, to read them again.
    mutating func access(of sources: ConfigurationSources) -> AccessPolicy? {
        let keys = apiKeys()
        let tokenKeys = tokenKeys()
        let url = tokenKeysURL()
        let policy = JWTPolicy(
            audience: value(.jwtAudience, default: "payrelay", expected: "a text") { $0 },
            issuer: value(.jwtIssuer, default: String?.none, expected: "a text") { $0 },
            clockSkew: .seconds(number(.jwtClockSkewSeconds, default: 60, in: 0...300)),
            lifetimeLimit: .seconds(number(.jwtLifetimeSecondsMax, default: 86_400, in: 60...31_536_000)),
            orderLifetimeLimit: .seconds(number(.jwtOrderLifetimeSecondsMax, default: 3_600, in: 60...86_400)),
            orderFields: OrderTokenVerdict.pinning)
        guard keys != nil || tokenKeys != nil || url != nil else { return nil }
        return AccessPolicy(
            apiKeys: keys ?? APIKeys(), tokens: policy, tokenKeys: tokenKeys ?? [], tokenKeysURL: url
        ) { () throws(ConfigurationError) in
            var settings = SettingReader(sources)
            guard let policy = settings.access(of: sources), settings.errors.isEmpty else {
                throw ConfigurationError(errors: settings.errors)
            }
            return policy
        }
    }

    private mutating func apiKeys() -> APIKeys? {
        let name = Setting.apiKeys.environmentName
        guard isSet(.apiKeys) else { return nil }
        do throws(APIKeysError) {
            let keys = try APIKeys(parsing: secret(.apiKeys, default: "").exposed)
            // An empty file must not pass for a service without authentication.
            if keys.entries.isEmpty { add("\(name) has no key") }
            return keys
        } catch {
            for line in error.lines { add("\(name): \(line)") }
            return APIKeys()
        }
    }

    private mutating func tokenKeysURL() -> String? {
        guard let url = text(.jwtKeysURL) else { return nil }
        if !OutboundRequest.takes(url: url) {
            add("\(Setting.jwtKeysURL.environmentName) must be an https URL (plain http on loopback only)")
        }
        return url
    }

    private mutating func tokenKeys() -> [JWTKey]? {
        guard let path = text(.jwtKeysFile) else { return nil }
        do {
            return try JWTKey.keys(parsing: String(ofFile: path))
        } catch {
            add("\(Setting.jwtKeysFile.environmentName) cannot be used: \(path): \(error)")
            return []
        }
    }
}
