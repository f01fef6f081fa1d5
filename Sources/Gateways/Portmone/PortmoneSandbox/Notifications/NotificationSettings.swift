public import PayrelayPrimitives
public import SandboxParts

/// The destination and the form of the notifications to the merchant's server.
public struct NotificationSettings: Sendable, Equatable {
    /// The two formats that published receivers accept.
    public enum Format: String, Sendable, CaseIterable {
        /// A JSON object, acknowledged with a JSON object whose `errorCode` is `0`.
        case json
        /// The XML document `BILLS` in the form field `data`, acknowledged with `OK`.
        case xml
    }

    /// The URL: `https`, or `http` on loopback.
    public let url: String
    public let format: Format
    /// Whether a notification is sent after each charge that was paid, held or rejected.
    public let isSentAfterCharges: Bool
    public let pace: MessagePace

    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(
        url: String, format: Format = .json, isSentAfterCharges: Bool = true, pace: MessagePace = MessagePace()
    ) throws(SecureURLError) {
        try SecureURL.check(url, allowsQuery: true)
        self.url = url
        self.format = format
        self.isSentAfterCharges = isSentAfterCharges
        self.pace = pace
    }
}

extension NotificationSettings {
    private static let settingNames = MessagePace.settingNames.union(["url", "format", "after_charges"])

    /// Reads the settings of a request's body.
    ///
    /// - Throws: ``ValidationErrors`` with every error in the settings.
    init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(json, knowing: Self.settingNames)
        self = try Self.read(&settings, instead: nil)
    }

    /// Reads the settings.
    ///
    /// - Parameter other: the settings that apply if the request does not have them; `nil` if the request must
    ///   name the URL.
    static func read(
        _ settings: inout JSONFieldReader, instead other: NotificationSettings?
    ) throws(ValidationErrors) -> NotificationSettings {
        let url = settings.text("url", limit: 2_048, required: other == nil)
        let format = settings.choice("format", of: Format.allCases, named: \.rawValue)
        var isSentAfterCharges = true
        switch settings.value("after_charges") {
        case nil: break
        case .bool(let isTrue)?: isSentAfterCharges = isTrue
        default: settings.add("after_charges", "must be true or false")
        }
        let pace = MessagePace(&settings)
        var read: NotificationSettings?
        if let url = url ?? other?.url {
            do throws(SecureURLError) {
                read = try NotificationSettings(
                    url: url, format: format ?? other?.format ?? .json, isSentAfterCharges: isSentAfterCharges,
                    pace: pace)
            } catch {
                settings.add("url", error.description)
            }
        }
        guard let read, settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        return read
    }

    var json: JSONObject {
        JSONObject(
            [
                ("url", .string(url)), ("format", .string(format.rawValue)),
                ("after_charges", .bool(isSentAfterCharges)),
            ] + pace.members)
    }
}
