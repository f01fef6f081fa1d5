import FortAPI
import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Synchronization

/// `POST /v1/feedback/direct` and `/v1/feedback/notification`: FORT's transaction feedback (mobile SDK guide, section 6.8).
///
/// Feedback proves nothing: what it says anew has the relay ask FORT (CHECK_STATUS). Its signature is verified first, as a filter. FORT
/// takes any 2xx for an acknowledgement and tries ten times, ten seconds apart: so nothing is acknowledged before it is durable that FORT
/// is asked.
struct ReceiveFeedback: Sendable {
    let relay: PaymentRelay
    let kind: FeedbackKind
    let accounts: FortAccounts
    let rate: QuestionRate
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
        let reception: Reception
        do throws(JournalError) {
            reception = try await receive(feedback, from: request.clientAddress)
        } catch {
            if case .unreadable = error { throw error }
            logger.error(
                "feedback not recorded", metadata: ["error": "\(error)", "request_id": "\(request.identifier)"])
            throw Problem.feedbackNotRecorded
        }
        logger.info(
            "feedback",
            metadata: [
                "merchant_reference": "\(feedback.merchantReference)", "response_code": "\(feedback.responseCode)",
                "result": "\(reception.word)", "account": "\(feedback.account)",
                "request_id": "\(request.identifier)",
            ])
        switch reception {
        case .aboutNoPayment, .known, .recorded: return WholeResponse(head: HTTPResponse(status: .ok), body: [])
        case .tooManyOfAddress(let wait): throw Problem.tooMuchFeedbackOfAddress(retryAfterSeconds: wait)
        case .tooMany: throw Problem.tooMuchFeedback
        }
    }

    private func receive(_ feedback: FortFeedback, from address: String?) async throws(JournalError) -> Reception {
        guard let hint = ProcessorHint(feedback) else { return .aboutNoPayment }
        if try await relay.knows(hint) { return .known }
        if let wait = rate.count(address) { return .tooManyOfAddress(retryAfterSeconds: wait) }
        return try await relay.receive(hint, kind: kind) ? .recorded : .tooMany
    }
}

/// What became of a message.
private enum Reception {
    /// It is about a status query, a token, or a reference that FORT cannot have.
    case aboutNoPayment
    /// It says what is known.
    case known
    /// FORT is asked.
    case recorded
    case tooManyOfAddress(retryAfterSeconds: Int)
    case tooMany

    /// For the log.
    var word: String {
        switch self {
        case .aboutNoPayment: "about_no_payment"
        case .known: "known"
        case .recorded: "recorded"
        case .tooManyOfAddress: "too_many_of_address"
        case .tooMany: "too_many"
        }
    }
}

/// How many questions to FORT the messages from one address may lead to: a client that repeats its own genuine messages, or makes others
/// of them, takes no more of FORT's time than that.
final class QuestionRate: Sendable {
    static let perSecond = 50

    private let rate = Mutex(RequestRate<PeerNetwork>(perSecond: perSecond))
    private let start = ContinuousClock.now

    /// Counts a question.
    ///
    /// - Returns: nil where it may be asked, otherwise after how many seconds the next one may.
    func count(_ address: String?) -> Int? {
        guard let address else { return nil }
        let now = start.duration(to: .now)
        return rate.withLock { $0.count(PeerNetwork(address: address), at: now) }
            .map { Int(($0.milliseconds / 1_000).rounded(.up)) }
    }
}
