import CommandLineParts
public import ArgumentParser
public import FortAPI
import OutboundHTTP
import FortSandbox
import PayrelayPrimitives

/// Where a sandbox sends FORT's transaction feedback.
struct FeedbackOptions: ParsableArguments {
    @Option(
        help: "Where transaction feedback goes, for example the relay's /v1/feedback/direct. None is sent without.",
        transform: Self.endpoint)
    var feedbackURL: GatewayEndpoint?

    @Option(
        help: "Where feedback on later changes goes: captures, voids, refunds. (default: the feedback URL)",
        transform: Self.endpoint)
    var notificationURL: GatewayEndpoint?

    @Option(help: "How feedback is written: form or json.")
    var feedbackFormat: FortFeedback.Format = .form

    /// Nil where none is sent.
    var settings: FeedbackSettings? {
        guard feedbackURL != nil || notificationURL != nil else { return nil }
        return FeedbackSettings(
            directURL: feedbackURL, notificationURL: notificationURL ?? feedbackURL, format: feedbackFormat)
    }

    private static func endpoint(_ url: String) throws -> GatewayEndpoint {
        do throws(SecureURLError) {
            return try GatewayEndpoint(url)
        } catch {
            throw UsageError("\(url) \(error)")
        }
    }
}

extension FortFeedback.Format: ExpressibleByArgument {
    public init?(argument: String) {
        guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = format
    }

    public var defaultValueDescription: String { name }
}
