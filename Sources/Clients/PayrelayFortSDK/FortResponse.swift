import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives

/// The response about a payment with FORT's names, and the closure of the app that receives it.
struct FortResponse: Sendable, Equatable {
    /// The app's closure that receives the response.
    enum Closure: Sendable, Equatable {
        case success
        case canceled
        case failed(message: String)
    }

    let closure: Closure
    /// FORT's fields and those named below. It contains neither the order token nor the Apple Pay token.
    let fields: [String: String]

    /// `YES` if the customer may have been charged and the outcome is not known, otherwise `NO`.
    static let mayHaveBeenCharged = "may_have_been_charged"
    /// `YES`, together with ``mayHaveBeenCharged``, if the relay has no payment or sent nothing. A request that
    /// is still under way may charge the customer. Another request with the same reference is charged together
    /// with it only once.
    static let mayBePaidUnderSameReference = "may_be_paid_under_same_reference"
    /// The reason for a missing outcome, in English, for the app's log.
    static let relayError = "relay_error"

    /// The message "The transaction has been processed, but failed to receive confirmation", with the status
    /// "Uncertain Transaction".
    private static let uncertain = FortCode(status: "15", message: "777")
    private static let cancelledByConsumer = FortCode(status: "00", message: "072")

    /// - Parameter request: the request. Its fields are repeated in the response, as FORT does, and its language
    ///   is used for texts.
    init(_ outcome: Result<PaymentResult, RelayError>, of request: FortRequest) {
        let command = request.order.command
        let echo = Self.echo(request.order)
        let texts = CustomerTexts(request.order.language)
        let text = texts.text(for: outcome)
        let samePayment = [Self.mayBePaidUnderSameReference: "YES"]
        switch outcome {
        case .success(let result) where result.isSuccess:
            let receipt = result.receipt.map(Self.receipt) ?? [:]
            let code = FortCode(status: command == .purchase ? "14" : "02", message: "000")
            self.init(.success, echo, code, receipt["response_message"] ?? text, receipt)
        case .success(.notProcessed(let payment)) where payment.outcome == .notSent:
            self.init(.failed(message: texts.beingChecked), echo, Self.uncertain, texts.beingChecked, samePayment)
        case .success(let result):
            let receipt = result.receipt.map(Self.receipt) ?? [:]
            // FORT's own text says why a card was declined. For another outcome, the text of an older answer
            // could contradict it.
            var message = text
            if case .declined = result { message = receipt["response_message"] ?? text }
            self.init(.failed(message: message), echo, Self.code(of: result, command), message, receipt)
        case .failure(let error):
            let code = error.mayHaveBeenCharged ? Self.uncertain : FortCode(error, command)
            let more = error == .noSuchPayment ? samePayment : [:]
            self.init(
                .failed(message: text), echo, code, text, more.merging([Self.relayError: error.description]) { $1 })
        }
    }

    /// Creates the response for a request with invalid fields, of which nothing was sent. Its message names the
    /// fields in English, because the app must be corrected.
    init(_ errors: ValidationErrors) {
        self.init(.failed(message: errors.description), [:], FortCode(errors.errors), errors.description, [:])
    }

    /// Creates the response for a sheet that the customer closed. Nothing was sent.
    init(cancelled request: FortRequest) {
        let text = CustomerTexts(request.order.language).cancelled
        self.init(.canceled, Self.echo(request.order), Self.cancelledByConsumer, text, [:])
    }

    private init(
        _ closure: Closure, _ echo: [String: String], _ code: FortCode, _ message: String, _ receipt: [String: String]
    ) {
        self.closure = closure
        var fields = echo.merging(receipt) { _, new in new }
        fields["response_code"] = code.code
        fields["status"] = code.status
        fields["response_message"] = message
        fields[Self.mayHaveBeenCharged] = code == Self.uncertain ? "YES" : "NO"
        self.fields = fields
    }

    /// Returns the code for an outcome that is not a success.
    private static func code(of result: PaymentResult, _ command: PaymentCommand) -> FortCode {
        let failed = FortCode.failed(command)
        switch result {
        case .declined(let payment):
            // FORT's own code says why the card was declined. A code that is not of a failed payment would
            // contradict the outcome.
            let told = payment.answer.responseCode.flatMap {
                FortCode(failure: $0, class: payment.answer.responseClass)
            }
            return told ?? FortCode(failed, "666")
        case .returned(let document): return FortCode(status: document.outcome == .voided ? "08" : "06", message: "000")
        case .uncertain: return uncertain
        default: return FortCode(failed, "074")
        }
    }

    /// Returns the request's fields without the credential.
    private static func echo(_ order: Order) -> [String: String] {
        var fields: [String: String] = ["digital_wallet": "APPLE_PAY"]
        for member in order.json(with: AppleToken(json: [:])).objectValue?.members ?? [] {
            switch member.value {
            case .string(let text): fields[member.name] = text
            case .number(let digits): fields[member.name] = digits
            default: continue
            }
        }
        return fields
    }

    private static func receipt(_ payment: PaymentDocument) -> [String: String] {
        let answer = payment.answer
        let fields = [
            PaymentField.responseCode: answer.responseCode, PaymentField.responseMessage: answer.responseMessage,
            PaymentField.fortID: answer.fortID, PaymentField.paymentOption: answer.paymentOption,
            PaymentField.authorizationCode: answer.authorizationCode, PaymentField.cardNumber: answer.cardNumber,
            PaymentField.eci: answer.eci,
        ]
        return fields.compactMapValues { $0 }
    }
}
