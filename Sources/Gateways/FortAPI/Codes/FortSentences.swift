/// Sentences about an answer of FORT's: one for the operator, and one that can be sent to the customer.
///
/// The sentences are payrelay's. FORT's own texts are in ``FortCodeEntry/texts``.
public struct FortSentences: Hashable, Sendable {
    /// Event and remedy, in plain English: another card, a call to the bank, a later try, a correction of ours.
    public let whatHappened: String
    let customerText: FortCustomerText

    /// The sentence that can be sent to the customer. It blames no one, and refers questions about the card to the bank.
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
    ///   - command: what FORT was asked to do; nil where only the code is known. A failed refund is no failed payment.
    ///   - acquirerCode: `acquirer_response_code` of the same answer. Where FORT's code says only that the payment was
    ///     declined, it says why. It never says whether.
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

    /// The command of which the status says that it failed, where it is not a payment.
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

    /// A customer is told of a failed operation and of an open one the same: it is not complete.
    private func sentences(ofOperation failed: FortSituation, _ situation: FortSituation) -> FortSentences {
        let failure = FortSentences(failed)
        guard situation.isOpen else { return failure.because(of: situation) }
        return FortSentences(FortSentences(situation).whatHappened, failure.customerText)
    }
}

extension FortSentences {
    /// With the reason, where it is not about a customer's card.
    fileprivate func because(of situation: FortSituation) -> FortSentences {
        let reason = FortSentences(situation)
        guard [.ourSide, .changeNotPossible].contains(reason.customerText) else { return self }
        return FortSentences("\(whatHappened) \(reason.whatHappened)", customerText)
    }
}

extension FortCode {
    /// Returns the situation of a code of this class. The message decides if it agrees with the class, then the status,
    /// then the class alone.
    func situation(in class: Class) -> FortSituation {
        let byMessage = FortCodeEntry.byMessage[message]?.situation
        let byStatus = FortCodeEntry.byStatus[status]?.situation ?? .statusOfAnotherService
        switch `class` {
        case .success: return byStatus
        case .uncertain, .duplicate, .notFound:
            // Something done contradicts the class, and a status that tells where the order stands tells more.
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
    /// If FORT says no more than that the payment was declined, what the acquirer's code says of the reason.
    fileprivate func refined(byAcquirerCode code: String?) -> FortSituation {
        guard [.declined, .failed].contains(self), let code,
            let reason = FortCodeEntry(acquirerCode: code)?.situation, !reason.isOpen
        else { return self }
        return reason
    }
}
