import FortAPI
import FortProcessor
import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import RelayServer

/// `POST /v1/feedback/direct` and `/v1/feedback/notification`: FORT's transaction feedback (mobile SDK guide, section 6.8).
///
/// FORT is authenticated by its signature. It takes any 2xx for an acknowledgement and tries ten times, ten seconds apart: so
/// nothing is acknowledged before it is durable, and feedback about unknown payments is acknowledged, since no repetition changes
/// that.
struct ReceiveFeedback {
    let relay: PaymentRelay
    let kind: FeedbackKind
    let accounts: FortAccounts
    let logger: Logger

    func respond(to request: RelayRequest) async throws -> WholeResponse {
        guard let format = request.head.headerFields[.contentType].flatMap(FortFeedback.Format.init) else {
            throw Problem.notFeedbackMediaType
        }
        let feedback: FortFeedback
        do throws(FortFeedbackError) {
            feedback = try FortFeedback(verifying: request.bytes, as: format, of: accounts)
        } catch {
            logger.warning("feedback refused", metadata: ["reason": "\(error)", "request_id": "\(request.identifier)"])
            throw error.isForgery ? Problem.feedbackNotProven("\(error)") : .feedbackMalformed("\(error)")
        }
        var application = PaymentRelay.Application.unknown
        do throws(NotificationError) {
            if let notification = ProcessorNotification(feedback) {
                application = try await relay.apply(notification, kind: kind, request: request.identifier)
            }
        } catch {
            switch error {
            case .undecided: throw Problem.feedbackUndecided
            case .journal(.unreadable(let record)): throw JournalError.unreadable(record)
            case .journal(let error):
                logger.error(
                    "feedback not recorded", metadata: ["error": "\(error)", "request_id": "\(request.identifier)"])
                throw Problem.feedbackNotRecorded
            }
        }
        logger.info(
            "feedback",
            metadata: [
                "merchant_reference": "\(feedback.merchantReference)", "response_code": "\(feedback.responseCode)",
                "result": "\(application.word)", "account": "\(feedback.account)",
                "request_id": "\(request.identifier)",
            ])
        return WholeResponse(head: HTTPResponse(status: .ok), body: [])
    }
}

extension PaymentRelay.Application {
    /// For the log.
    fileprivate var word: String {
        switch self {
        case .applied: "applied"
        case .recorded: "recorded"
        case .implausible: "implausible"
        case .unknown: "unknown"
        }
    }
}
