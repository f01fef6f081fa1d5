import PayrelayPrimitives
import RelayServer
import Settings

extension SettingReader {
    /// Reads the URL that receives events and the keys with which they are signed.
    ///
    /// - Returns: `nil` if no events are sent, or if anything is wrong. The reader keeps every error.
    mutating func events() -> MerchantWebhook.Settings? {
        let timeout = seconds(.eventsTimeoutSeconds)
        guard let address = text(.eventsURL) else {
            if isSet(.eventsSecret) { fail(.eventsSecret, "is set, and \(Setting.eventsURL.name) is not") }
            return nil
        }
        let secrets = eventSecrets()
        do throws(SecureURLError) {
            let url = try WebhookURL(address)
            guard !secrets.isEmpty else { return nil }
            return MerchantWebhook.Settings(url: url, secrets: secrets, timeout: timeout)
        } catch {
            fail(.eventsURL, "\(error)")
            return nil
        }
    }

    /// Reads the keys; none if any of them is wrong.
    private mutating func eventSecrets() -> [WebhookSecret] {
        guard let text = readable(.eventsSecret) else { return [] }
        do throws(WebhookSecretError) {
            var secrets: [WebhookSecret] = []
            for word in text.exposed.words { secrets.append(try WebhookSecret(String(word))) }
            if !(1...2).contains(secrets.count) { fail(.eventsSecret, "must be one key, or two") }
            return secrets
        } catch {
            fail(.eventsSecret, "\(error)")
            return []
        }
    }
}
