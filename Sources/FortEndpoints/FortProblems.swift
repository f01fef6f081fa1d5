import HTTPTypes
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// The kinds of problems that FORT's own endpoints answer with.
extension Problem {
    static let notFeedbackMediaType = Problem(
        kind: .unsupportedMediaType, status: .unsupportedMediaType, title: "Unsupported media type",
        detail: "Send application/x-www-form-urlencoded or application/json.")

    static func feedbackNotProven(_ reason: String) -> Problem {
        Problem(
            kind: .feedbackNotProven, status: .unauthorized, title: "Feedback not authenticated",
            detail: "It changed nothing: \(reason).")
    }

    static func feedbackMalformed(_ reason: String) -> Problem {
        Problem(
            kind: .feedbackMalformed, status: .badRequest, title: "Malformed feedback",
            detail: "It changed nothing: \(reason).")
    }

    static let feedbackNotRecorded = Problem(
        kind: .journalUnavailable, status: .serviceUnavailable, title: "Feedback not recorded",
        detail: "It changed nothing. Send it again.", retryAfterSeconds: 1)

    static let tooMuchFeedback = Problem(
        kind: .tooBusy, status: .serviceUnavailable, title: "Too much feedback waits",
        detail: "FORT is asked about each message first. Send it again.", retryAfterSeconds: 10)

    static func tooMuchFeedbackOfAddress(retryAfterSeconds: Int) -> Problem {
        Problem(
            kind: .tooManyRequests, status: .tooManyRequests, title: "Too much feedback",
            detail: "This address sends more messages than FORT is asked about for it. Send it again.",
            retryAfterSeconds: retryAfterSeconds)
    }

    static func sdkTokenRefused(_ answer: JSONObject) -> Problem {
        let code = answer["response_code"]?.stringValue ?? "no code"
        let message = answer["response_message"]?.stringValue ?? ""
        return Problem(
            kind: .processorRefused, status: .badGateway, title: "FORT refused the SDK token",
            detail: "It answered \(code): \(message)")
    }

    static func processorNotBelieved(_ reason: String) -> Problem {
        Problem(
            kind: .processorUnproven, status: .badGateway, title: "FORT response not verified",
            detail: "\(reason). Nothing was charged. Retry the same request.")
    }
}
