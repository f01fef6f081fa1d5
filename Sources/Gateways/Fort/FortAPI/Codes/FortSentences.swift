/// The sentences about an answer of FORT: one for the operator, and one that can be sent to the customer.
///
/// The sentences are payrelay's. FORT's texts are in ``FortCodeEntry/texts``.
public struct FortSentences: Hashable, Sendable {
    /// The event and the remedy, in plain English: another card, a call to the bank, a later attempt, or a
    /// correction by the operator.
    public let whatHappened: String
    let customerText: FortCustomerText

    /// Returns the sentence that can be sent to the customer. It blames no one, and refers the customer to the
    /// bank if the card is the cause.
    public func customerSentence(in language: FortLanguage) -> String { customerText.sentence(in: language) }

    init(_ whatHappened: String, _ customerText: FortCustomerText) {
        self.whatHappened = whatHappened
        self.customerText = customerText
    }

    init(_ situation: FortSituation) {
        self.init(situation.whatHappened, situation.forCustomer)
    }
}

extension FortCode {
    /// Returns the sentences about this code.
    ///
    /// - Parameters:
    ///   - command: the command that FORT answered; `nil` if only the code is known. A failed refund, for
    ///     example, has other sentences than a failed payment.
    ///   - acquirerCode: `acquirer_response_code` of the same answer. If FORT's code says only that the payment
    ///     was declined, the acquirer's code adds the reason. It never decides whether the payment was declined.
    public func sentences(answering command: FortCommand? = nil, acquirerCode: String? = nil) -> FortSentences {
        let meaning = command.map { self.class(answering: $0, status: nil) } ?? self.class
        let situation = situation(in: meaning)
        if meaning == .success { return FortSentences(situation) }
        switch command ?? failedCommand {
        case .capture: return sentences(ofOperation: .captureFailed, situation)
        case .refund: return sentences(ofOperation: .refundFailed, situation)
        case .voidAuthorization: return sentences(ofOperation: .voidFailed, situation)
        case .checkStatus where meaning.provesNoMoneyMoved: return FortSentences(.queryFailed).because(of: situation)
        case .sdkToken where meaning.provesNoMoneyMoved: return FortSentences(.sdkTokenFailed).because(of: situation)
        default: return FortSentences(situation.refined(byAcquirerCode: acquirerCode))
        }
    }

    /// The command that failed according to the status; `nil` unless it is a command other than a payment.
    private var failedCommand: FortCommand? {
        switch status {
        case "05": .capture
        case "07": .refund
        case "09": .voidAuthorization
        case "11": .checkStatus
        case "21": .sdkToken
        default: nil
        }
    }

    /// Returns the sentences about an operation that failed or whose outcome is open. The customer gets the same
    /// sentence in both cases: the operation is not complete.
    private func sentences(ofOperation failed: FortSituation, _ situation: FortSituation) -> FortSentences {
        let failure = FortSentences(failed)
        guard situation.isOpen else { return failure.because(of: situation) }
        return FortSentences(FortSentences(situation).whatHappened, failure.customerText)
    }
}

extension FortSentences {
    /// Returns the sentences with the reason added, if the reason is not about a customer's card.
    fileprivate func because(of situation: FortSituation) -> FortSentences {
        let reason = FortSentences(situation)
        guard [.ourSide, .changeNotPossible].contains(reason.customerText) else { return self }
        return FortSentences("\(whatHappened) \(reason.whatHappened)", customerText)
    }
}

extension FortCode {
    /// Returns the situation of a code that has this class. The message decides if it agrees with the class,
    /// otherwise the status, otherwise only the class.
    func situation(in class: Class) -> FortSituation {
        let byMessage = FortCodeEntry.byMessage[message]?.situation
        let byStatus = FortCodeEntry.byStatus[status]?.situation ?? .statusOfAnotherService
        switch `class` {
        case .success: return byStatus
        case .uncertain, .duplicate, .notFound:
            // A message about something done contradicts these classes. A status that shows where the order is
            // says more than the class.
            if let byMessage, byMessage.isOpen, byMessage != .contradiction { return byMessage }
            if byStatus.isOpen, byStatus != .uncertain, !FortStatus(status).isFailure { return byStatus }
            return byMessage == .contradiction ? .contradiction : FortSituation(`class`)
        case .declined, .signature, .configuration, .request, .token, .notAllowed:
            guard let byMessage, !byMessage.isOpen else { return FortSituation(`class`) }
            return byMessage
        }
    }
}

extension FortSituation {
    /// Returns the reason according to the acquirer's code, if FORT says only that the payment was declined;
    /// otherwise this situation.
    fileprivate func refined(byAcquirerCode code: String?) -> FortSituation {
        guard [.declined, .failed].contains(self), let code,
            let reason = FortCodeEntry(acquirerCode: code)?.situation, !reason.isOpen
        else { return self }
        return reason
    }
}
