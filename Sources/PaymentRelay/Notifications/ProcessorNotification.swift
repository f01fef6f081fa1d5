public import PayrelayPrimitives

/// A message that a processor sent without being asked, its signature verified. FORT calls it transaction feedback.
public struct ProcessorNotification: Sendable, Equatable {
    /// What it speaks of.
    public enum Subject: Sendable, Equatable {
        case charge(Order.Command)
        case operation(OperationCommand, maintenanceReference: String?)
    }

    /// The merchant's name of the account whose key signed it.
    public let account: String
    public let merchantReference: String
    public let subject: Subject
    /// Nil where it does not say, or says no amount (``ProcessorAnswer/unreadableNumber``).
    public let amount: MinorUnits?
    /// ISO 4217, alphabetic; nil where it does not say.
    public let currency: String?
    public let answer: ProcessorAnswer

    public init(
        account: String, merchantReference: String, subject: Subject, amount: MinorUnits?, currency: String?,
        answer: ProcessorAnswer
    ) {
        self.account = account
        self.merchantReference = merchantReference
        self.subject = subject
        self.amount = amount
        self.currency = currency
        self.answer = answer
    }

    var isAboutCharge: Bool {
        if case .charge = subject { true } else { false }
    }

    /// Whether it says that money moved, or that it did not.
    var isDecisive: Bool {
        switch answer.meaning {
        case .authorized, .captured, .declined, .voided, .refunded: true
        case .pending, .duplicate, .notFound: false
        }
    }
}
