import FoundationEssentials
public import OutboundHTTP
public import PaymentRelay
package import PayrelayPrimitives

/// Delivers events to the merchant's backend, each in one signed POST (Standard Webhooks 1.0.0,
/// https://www.standardwebhooks.com). Any 2xx status acknowledges the event. Redirects are not followed.
public struct MerchantWebhook: EventReceiver {
    /// The URL, the keys and the timeout of deliveries.
    public struct Settings: Sendable, Equatable {
        public var url: WebhookURL
        /// The keys, the newest first. There are two while the key is being changed.
        public var secrets: [WebhookSecret]
        /// The time limit for one delivery attempt, including the connection setup.
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
    /// The maximum size of a response, in bytes. A longer response counts as a failed delivery attempt.
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

    /// Sends a GET request to the URL without its query. Any status shows that the backend can be reached. The
    /// request cannot be mistaken for an event.
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
