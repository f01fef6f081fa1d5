public import FortAPI
public import OutboundHTTP
import PayrelayPrimitives

/// Where transaction feedback goes, as a merchant enters it in FORT's dashboard. A message without a URL is not sent.
public struct FeedbackSettings: Sendable, Equatable {
    /// For each processed charge.
    public let directURL: GatewayEndpoint?
    /// For each capture, void, refund, and what is settled late.
    public let notificationURL: GatewayEndpoint?
    public let format: FortFeedback.Format
    /// How often each message is sent, as if FORT had not seen its acknowledgement; 0 loses each.
    public let copies: Int
    /// Each copy is delayed by this many seconds.
    public let delaySeconds: Double
    /// Each copy is delayed by at most this many seconds more, so that messages arrive in any order.
    public let shuffleSeconds: Double
    /// The seed of the pauses.
    public let seed: UInt64

    public init(
        directURL: GatewayEndpoint?, notificationURL: GatewayEndpoint?, format: FortFeedback.Format = .form,
        copies: Int = 1,
        delaySeconds: Double = 0, shuffleSeconds: Double = 0, seed: UInt64 = 1
    ) {
        self.directURL = directURL
        self.notificationURL = notificationURL
        self.format = format
        self.copies = copies
        self.delaySeconds = delaySeconds
        self.shuffleSeconds = shuffleSeconds
        self.seed = seed
    }

    /// By how many seconds the n-th copy is delayed, counted over all messages.
    func pause(ofCopy number: Int) -> Double { delaySeconds + SplitMix64.draw(number, from: seed) * shuffleSeconds }

    func url(for kind: FeedbackMessage.Kind) -> GatewayEndpoint? {
        switch kind {
        case .direct: directURL
        case .notification: notificationURL
        }
    }
}

extension FeedbackSettings {
    /// As `PUT /_sandbox/feedback` takes it.
    ///
    /// - Throws: ``ValidationErrors`` with everything that is wrong with it.
    init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(
            json,
            knowing: ["direct_url", "notification_url", "format", "copies", "delay_seconds", "shuffle_seconds", "seed"])
        let direct = settings.endpoint("direct_url")
        let notification = settings.endpoint("notification_url")
        let format = settings.choice("format", of: FortFeedback.Format.allCases, named: \.name)
        let copies = settings.whole("copies", in: 0...10, "must be a whole number from 0 to 10")
        let delaySeconds = settings.number("delay_seconds", in: 0...600, "must be a number from 0 to 600")
        let shuffleSeconds = settings.number("shuffle_seconds", in: 0...60, "must be a number from 0 to 60")
        let seed = settings.whole("seed", in: 0...UInt64.max, "must be a whole number from 0 to \(UInt64.max)")
        guard settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        self.init(
            directURL: direct, notificationURL: notification, format: format ?? .form, copies: copies ?? 1,
            delaySeconds: delaySeconds ?? 0, shuffleSeconds: shuffleSeconds ?? 0, seed: seed ?? 1)
    }

    var json: JSONObject {
        [
            "direct_url": directURL.map { .string($0.url) } ?? .null,
            "notification_url": notificationURL.map { .string($0.url) } ?? .null, "format": .string(format.name),
            "copies": JSON(copies), "delay_seconds": .number("\(delaySeconds)"),
            "shuffle_seconds": .number("\(shuffleSeconds)"), "seed": JSON(seed),
        ]
    }
}

extension JSONFieldReader {
    fileprivate mutating func endpoint(_ name: String) -> GatewayEndpoint? {
        guard let value = value(name) else { return nil }
        do throws(SecureURLError) {
            guard let url = value.stringValue else { throw .notAURL }
            return try GatewayEndpoint(url)
        } catch {
            add(name, error.description)
            return nil
        }
    }
}
