import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives

/// A FORT response code: two digits of status followed by three digits of message.
struct FortCode: Sendable, Equatable {
    let status: String
    let message: String

    var code: String { status + message }

    init(status: String, message: String) {
        self.status = status
        self.message = message
    }

    init(_ status: String, _ message: String) {
        self.init(status: status, message: message)
    }

    /// Returns the status of a failed payment: Purchase Failure or Authorization Failed.
    static func failed(_ command: PaymentCommand) -> String { command == .purchase ? "13" : "03" }

    /// Returns `nil` if the code is not that of a failed payment, or if the class that the relay assigned to it
    /// leaves open whether money moved.
    init?(failure code: String, class: String?) {
        let digits = code.utf8
        guard digits.count == 5, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        self.init(status: String(code.prefix(2)), message: String(code.suffix(3)))
        let isFailed = ["declined", "signature", "configuration", "request", "token", "not_allowed"].contains(`class`)
        guard ["03", "13"].contains(status), isFailed else { return nil }
    }

    /// Creates the code for invalid fields: Missing parameter, or Invalid parameter format.
    init(_ errors: [ValidationError]) {
        self.init(status: "00", message: errors.allSatisfy { $0.detail == "is required" } ? "001" : "002")
    }

    /// Creates the nearest FORT code for an error after which the customer was not charged.
    init(_ error: RelayError, _ command: PaymentCommand) {
        switch error {
        case .invalidFields(let errors): self.init(errors)
        // Parameter value not allowed.
        case .orderNotAllowed: self.init("00", "033")
        // Apple Pay order has been expired.
        case .tokenRefused(check: "freshness", _): self.init("23", "102")
        // Failed to retrieve digital wallet details.
        case .tokenRefused, .simulatorToken: self.init("23", "089")
        // Merchant reference already exists.
        case .referenceTaken: self.init("00", "066")
        // Invalid access code.
        case .notAuthenticated: self.init("00", "010")
        // Operation not allowed.
        case .notPermitted: self.init("00", "034")
        // Transaction has been cancelled by the consumer.
        case .cancelled: self.init("00", "072")
        // Invalid request format.
        case .invalidConfiguration: self.init("00", "073")
        // Transaction failed.
        case .refused, .nothingWasSent, .noAnswer, .orderTokenUnavailable, .insecureConnection,
            .noSuchPayment, .tokenUsed, .unreadable:
            self.init(Self.failed(command), "074")
        }
    }
}
