public import FortAPI
import OrderedJSON

/// Where transaction feedback goes, as a merchant enters it in FORT's dashboard. What has no URL is not sent.
public struct FeedbackSettings: Sendable, Equatable {
    /// For each processed charge.
    public let directURL: FortEndpoint?
    /// For each capture, void, refund, and what is settled late.
    public let notificationURL: FortEndpoint?
    public let format: FortFeedback.Format

    public init(directURL: FortEndpoint?, notificationURL: FortEndpoint?, format: FortFeedback.Format = .form) {
        self.directURL = directURL
        self.notificationURL = notificationURL
        self.format = format
    }

    func url(for kind: FeedbackMessage.Kind) -> FortEndpoint? {
        switch kind {
        case .direct: directURL
        case .notification: notificationURL
        }
    }
}

extension FeedbackSettings {
    /// As `PUT /_sandbox/feedback` takes it.
    ///
    /// - Throws: ``SettingsError`` with every fault in it.
    init(json: JSON) throws(SettingsError) {
        var settings = SettingsReader(json, knowing: ["direct_url", "notification_url", "format"])
        let direct = settings.endpoint("direct_url")
        let notification = settings.endpoint("notification_url")
        let format = settings.choice("format", of: FortFeedback.Format.allCases, named: \.name)
        guard settings.faults.isEmpty else { throw SettingsError(faults: settings.faults) }
        self.init(directURL: direct, notificationURL: notification, format: format ?? .form)
    }

    var json: JSONObject {
        [
            "direct_url": directURL.map { .string($0.url) } ?? .null,
            "notification_url": notificationURL.map { .string($0.url) } ?? .null, "format": .string(format.name),
        ]
    }
}

extension SettingsReader {
    fileprivate mutating func endpoint(_ name: String) -> FortEndpoint? {
        guard let value = value(name) else { return nil }
        do throws(FortEndpointError) {
            guard let url = value.stringValue else { throw .notAURL }
            return try FortEndpoint(url)
        } catch {
            note(name, error.description)
            return nil
        }
    }
}
