import ApplePaySession
import HTTPTypes

extension Problem {
    /// The one place where a session that was not given becomes HTTP.
    init(_ failure: SessionFailure) {
        switch failure {
        case .outbound:
            self.init(
                slug: "apple-unreachable", status: .serviceUnavailable, title: "Apple Pay could not be reached",
                detail: "\(failure). The same request may be tried again.", retryAfterSeconds: 1)
        case .refused, .notASession:
            self.init(
                slug: "apple-refused", status: .badGateway, title: "Apple Pay refused the session",
                detail: "\(failure).")
        }
    }
}
