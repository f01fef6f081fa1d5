public import FortAPI
public import OutboundHTTP
import PayrelayPrimitives
public import SandboxParts

/// The destinations of transaction feedback, as a merchant enters them in FORT's dashboard. A message without a
/// URL is not sent.
public struct FeedbackSettings: Sendable, Equatable {
    /// The URL for messages about processed charges.
    public let directURL: GatewayEndpoint?
    /// The URL for messages about captures, voids, refunds, and charges whose hold has ended.
    public let notificationURL: GatewayEndpoint?
    public let format: FortFeedback.Format
    public let pace: MessagePace

    public init(
        directURL: GatewayEndpoint?, notificationURL: GatewayEndpoint?, format: FortFeedback.Format = .form,
        copies: Int = 1,
        delaySeconds: Double = 0, shuffleSeconds: Double = 0, seed: UInt64 = 1
    ) {
        self.directURL = directURL
        self.notificationURL = notificationURL
        self.format = format
        pace = MessagePace(
            copies: copies, delaySeconds: delaySeconds, shuffleSeconds: shuffleSeconds, seed: seed)
    }

    func url(for kind: FeedbackMessage.Kind) -> GatewayEndpoint? {
        switch kind {
        case .direct: directURL
        case .notification: notificationURL
        }
    }
}

extension FeedbackSettings {
    /// Reads the settings in the body of `PUT /_sandbox/feedback`.
    ///
    /// - Throws: ``ValidationErrors`` with every error in the settings.
    init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(
            json, knowing: MessagePace.settingNames.union(["direct_url", "notification_url", "format"]))
        let direct = settings.endpoint("direct_url")
        let notification = settings.endpoint("notification_url")
        let format = settings.choice("format", of: FortFeedback.Format.allCases, named: \.name)
        let pace = MessagePace(&settings)
        guard settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        self.init(
            directURL: direct, notificationURL: notification, format: format ?? .form, copies: pace.copies,
            delaySeconds: pace.delaySeconds, shuffleSeconds: pace.shuffleSeconds, seed: pace.seed)
    }

    var json: JSONObject {
        JSONObject(
            [
                ("direct_url", directURL.map { .string($0.url) } ?? .null),
                ("notification_url", notificationURL.map { .string($0.url) } ?? .null),
                ("format", .string(format.name)),
            ] + pace.members)
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
