import FortAPI
import GatewayModule
import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `POST /v1/feedback/direct` and `/v1/feedback/notification`: receives FORT's transaction feedback (mobile SDK
/// guide, section 6.8).
///
/// Feedback proves nothing: if a message says something new, the relay queries FORT (CHECK_STATUS). The signature
/// and the account are verified first, as a filter. Parameters that FORT does not document are logged and decide
/// nothing. FORT accepts any 2xx as an acknowledgement. Otherwise it sends the message up to ten times, ten
/// seconds apart.
struct ReceiveFeedback: Sendable {
    let receiver: HintReceiver
    let kind: FeedbackKind
    let accounts: FortAccounts
    let logger: Logger

    func respond(to request: RelayRequest) async throws -> Answer {
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
        let reception: HintReception
        do {
            reception = try await receiver.receive(GatewayHint(feedback), kind: kind, from: request.clientAddress)
        } catch {
            logger.error(
                "feedback not recorded", metadata: ["error": "\(error)", "request_id": "\(request.identifier)"])
            throw error
        }
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(feedback.merchantReference)", "response_code": "\(feedback.responseCode)",
            "result": "\(reception.rawValue)", "account": "\(feedback.account)",
            "request_id": "\(request.identifier)",
        ]
        metadata["unknown_parameters"] = feedback.unknownNames.map { "\($0)" }
        logger.info("feedback", metadata: metadata)
        return Answer(head: HTTPResponse(status: .ok), body: [])
    }
}
