import FoundationEssentials
public import OutboundHTTP
public import PaymentRelay
package import PayrelayPrimitives

/// Delivers events to the merchant's backend: one signed POST for each (Standard Webhooks 1.0.0,
/// https://www.standardwebhooks.com). Any 2xx acknowledges. Redirects are not followed.
public struct MerchantWebhook: EventReceiver {
    /// The URL, the keys and the timeout of deliveries.
    public struct Settings: Sendable, Equatable {
        public var url: WebhookURL
        /// The newest first; two while they are changed.
        public var secrets: [WebhookSecret]
        /// For one exchange, connecting included.
        public var timeout: Duration

        public init(url: WebhookURL, secrets: [WebhookSecret], timeout: Duration = .seconds(15)) {
            self.url = url
            self.secrets = secrets
            self.timeout = timeout
        }
    }

    private let settings: Settings
    private let client: OutboundClient
    private let now: @Sendable () -> Date
    /// A response that is longer, in bytes, is a failed delivery.
    private static let answerLimit = 65_536

    public init(_ settings: Settings, client: OutboundClient) {
        self.init(settings, client: client, now: { Date() })
    }

    init(_ settings: Settings, client: OutboundClient, now: @escaping @Sendable () -> Date) {
        self.settings = settings
        self.client = client
        self.now = now
    }

    public var timeout: Duration { settings.timeout }

    public func deliver(_ event: MerchantEvent) async -> DeliveryResult {
        let timestamp = Int(now().timeIntervalSince1970)
        let signature = WebhookSignature(
            identifier: event.identifier, timestamp: timestamp, body: event.body, secrets: settings.secrets)
        let answer: OutboundAnswer
        do throws(NoAnswer) {
            answer = try await client.send(request(for: event, at: timestamp, signature)).get()
        } catch {
            return DeliveryResult(.unanswered(reason: error.reason), endpoint: settings.url.endpoint)
        }
        let reception = EventReception(status: answer.status)
        let excerpt =
            reception == .acknowledged
            ? nil
            : AnswerExcerpt(of: answer.body, settings: settings, signature: signature.description).text
        return DeliveryResult(reception, endpoint: settings.url.endpoint, status: answer.status, answer: excerpt)
    }

    /// Asks the URL, without its query, for anything: whatever the status, the backend can be reached. Nothing of it passes for an event.
    package func reach() async -> (endpoint: String, status: Outcome<Int>) {
        let request = OutboundRequest(
            method: .get, url: settings.url.withoutQuery, headers: [("User-Agent", "payrelay")],
            timeout: settings.timeout)
        return (settings.url.endpoint, await client.send(request).map(\.status))
    }

    private func request(
        for event: MerchantEvent, at timestamp: Int, _ signature: WebhookSignature
    ) -> OutboundRequest {
        OutboundRequest(
            method: .post, url: settings.url.text,
            headers: [
                ("Content-Type", "application/json"), ("User-Agent", "payrelay"), ("webhook-id", event.identifier),
                ("webhook-timestamp", "\(timestamp)"), ("webhook-signature", signature.description),
            ],
            body: event.body, timeout: settings.timeout, answerLimit: Self.answerLimit)
    }
}

extension EventReception {
    init(status: Int) {
        self = (200..<300).contains(status) ? .acknowledged : .refused(reason: "the backend answered \(status)")
    }
}
