import AccessControl
import CommandLineParts
import PayrelayPrimitives
import RelayServer

/// The URL to which a development relay sends its events, and the secret with which they are signed.
struct DevelopmentEvents {
    let settings: MerchantWebhook.Settings
    let url: String
    /// `nil` if the secret comes from a file, because such a secret is not printed.
    let newSecret: String?

    /// - Parameters:
    ///   - url: a URL that ``WebhookURL`` accepts.
    ///   - secretFile: a file with the secret; `nil` for a new one.
    init(url: String, secretFile: String?) throws {
        self.url = url
        newSecret = secretFile == nil ? WebhookSecret.text(of: RandomBytes.make(32)) : nil
        let text = try newSecret ?? String(String(decoding: readFile(secretFile ?? ""), as: UTF8.self).trimmed)
        do {
            settings = MerchantWebhook.Settings(url: try WebhookURL(url), secrets: [try WebhookSecret(text)])
        } catch let error as WebhookSecretError {
            throw failure("\(secretFile ?? ""): the secret \(error)", status: .data)
        }
    }
}
