import HTTPTypes
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// The problems with which FORT's endpoints answer.
extension Problem {
    static let notFeedbackMediaType = Problem(
        .unsupportedMediaType, "Send application/x-www-form-urlencoded or application/json.")

    static func feedbackNotProven(_ reason: String) -> Problem {
        Problem(.feedbackNotProven, "It changed nothing: \(reason).")
    }

    static func feedbackMalformed(_ reason: String) -> Problem {
        Problem(.feedbackMalformed, "It changed nothing: \(reason).")
    }

    static func sdkTokenRefused(_ answer: JSONObject) -> Problem {
        let code = answer["response_code"]?.scalarText ?? "no code"
        let message = answer["response_message"]?.stringValue ?? ""
        return Problem(.gatewayRefused, "It answered \(code): \(message)")
    }

    static func gatewayNotBelieved(_ reason: String) -> Problem {
        Problem(.gatewayUnproven, "\(reason). Nothing was charged. Retry the same request.")
    }
}
