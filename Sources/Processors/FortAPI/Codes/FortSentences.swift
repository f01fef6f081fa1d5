/// Sentences about an answer of FORT's: one for the operator, and one that can be sent to the customer.
///
/// The sentences are ours. FORT's own texts are ``FortCode/statuses``, ``FortCode/messages`` and ``FortAcquirerCode``.
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
        (whatHappened, customerText) = situation.sentences
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

extension FortCodeEntry {
    /// Sentences about this code alone. For a payment that also has an acquirer's code, or for an operation, use
    /// ``FortCode/sentences(answering:acquirerCode:)``, which knows both.
    ///
    /// The sentences about an acquirer's code hold only if FORT's own code says that the payment was declined.
    public var sentences: FortSentences {
        switch kind {
        case .response: FortCode(code)?.sentences() ?? FortSentences(.uncertain)
        case .message: FortSentences(.ofMessage(code) ?? .ofClass(self.class ?? .declined))
        case .status: FortSentences(.ofStatus(code))
        case .acquirer: FortSentences(.ofAcquirerCode(code) ?? .acquirerUnexplained)
        }
    }
}
