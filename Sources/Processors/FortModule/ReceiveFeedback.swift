import FortAPI
import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import PayrelayPrimitives
import ProcessorModule
import RelayServer

/// `POST /v1/feedback/direct` and `/v1/feedback/notification`: FORT's transaction feedback (mobile SDK guide, section 6.8).
///
/// Feedback proves nothing: what it says anew has the relay ask FORT (CHECK_STATUS). Its signature is verified first, as a filter. FORT
/// takes any 2xx for an acknowledgement and tries ten times, ten seconds apart.
struct ReceiveFeedback: Sendable {
    let receiver: HintReceiver
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
        let reception: HintReception
        do {
            reception = try await receiver.receive(ProcessorHint(feedback), kind: kind, from: request.clientAddress)
        } catch {
            logger.error(
                "feedback not recorded", metadata: ["error": "\(error)", "request_id": "\(request.identifier)"])
            throw error
        }
        logger.info(
            "feedback",
            metadata: [
                "merchant_reference": "\(feedback.merchantReference)", "response_code": "\(feedback.responseCode)",
                "result": "\(reception.rawValue)", "account": "\(feedback.account)",
                "request_id": "\(request.identifier)",
            ])
        return WholeResponse(head: HTTPResponse(status: .ok), body: [])
    }
}
