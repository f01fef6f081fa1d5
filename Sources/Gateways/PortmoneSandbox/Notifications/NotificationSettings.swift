public import PayrelayPrimitives
public import SandboxParts

/// Where the gateway notifies the merchant's server, and how.
public struct NotificationSettings: Sendable, Equatable {
    /// The two forms that published receivers take.
    public enum Format: String, Sendable, CaseIterable {
        /// A JSON object; acknowledged with a JSON object whose `errorCode` is `0`.
        case json
        /// `BILLS` in the form field `data`; acknowledged with `OK`.
        case xml
    }

    /// `https`, or `http` on loopback.
    public let url: String
    public let format: Format
    /// Whether each charge is notified by itself: paid, held or rejected.
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

    /// As they are put over HTTP.
    ///
    /// - Throws: ``ValidationErrors`` with everything that is wrong with them.
    init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(json, knowing: Self.settingNames)
        self = try Self.read(&settings, instead: nil)
    }

    /// Reads the settings of these names.
    ///
    /// - Parameter other: what counts where a setting is left out.
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
