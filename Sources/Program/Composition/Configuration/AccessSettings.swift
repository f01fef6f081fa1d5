import AccessControl
import FoundationEssentials
import OutboundHTTP
import PayrelayPrimitives
import RelayServer
import Settings

extension SettingReader {
    /// Reads how clients authenticate; `nil` if no authentication is configured.
    mutating func access() -> AccessPolicy? {
        let keys = apiKeys()
        let tokenKeys = tokenKeys()
        let url = tokenKeysURL()
        let policy = JWTPolicy(
            audience: value(.jwtAudience) { $0 }, issuer: text(.jwtIssuer), clockSkew: seconds(.jwtClockSkewSeconds),
            lifetimeLimit: seconds(.jwtLifetimeSecondsMax), orderLifetimeLimit: seconds(.jwtOrderLifetimeSecondsMax),
            orderFields: OrderTokenVerdict.pinning)
        guard keys != nil || tokenKeys != nil || url != nil else { return nil }
        return AccessPolicy(
            apiKeys: keys ?? APIKeys(), tokens: policy, tokenKeys: tokenKeys ?? [], tokenKeysURL: url
        ) { [sources] () throws(ConfigurationError) in
            var settings = SettingReader(sources)
            guard let policy = settings.access(), settings.errors.isEmpty else {
                throw ConfigurationError(errors: settings.errors)
            }
            return policy
        }
    }

    mutating func apiKeys() -> APIKeys? {
        guard isSet(.apiKeys) else { return nil }
        do throws(KeyLinesError<Set<Scope>>) {
            guard let text = readable(.apiKeys) else { return APIKeys() }
            let keys = try APIKeys(parsing: text.exposed)
            // An empty file must not be mistaken for a service without authentication.
            if keys.entries.isEmpty { fail(.apiKeys, "has no key") }
            return keys
        } catch {
            for line in error.lines { fail(.apiKeys, "cannot be used: \(line)") }
            return APIKeys()
        }
    }

    private mutating func tokenKeysURL() -> String? {
        optional(.jwtKeysURL) { OutboundRequest.takes(url: $0) ? $0 : nil }
    }

    private mutating func tokenKeys() -> [JWTKey]? {
        guard let path = text(.jwtKeysFile) else { return nil }
        do {
            return try JWTKey.keys(parsing: String(ofFile: path))
        } catch {
            fail(.jwtKeysFile, "cannot be used: \(path): \(error)")
            return []
        }
    }
}
