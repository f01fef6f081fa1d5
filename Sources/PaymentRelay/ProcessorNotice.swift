/// What a processor told by itself, proven to be its own. FORT calls it transaction feedback.
public struct ProcessorNotice: Sendable, Equatable {
    /// What it speaks of.
    public enum Subject: Sendable, Equatable {
        case charge
        case maintenance(MaintenanceCommand, maintenanceReference: String?)
    }

    public let merchantReference: String
    public let subject: Subject
    /// In minor units of `currency`; nil where it does not say.
    public let amount: Int?
    /// ISO 4217, alphabetic; nil where it does not say.
    public let currency: String?
    public let answer: ProcessorAnswer

    public init(
        merchantReference: String, subject: Subject, amount: Int?, currency: String?, answer: ProcessorAnswer
    ) {
        self.merchantReference = merchantReference
        self.subject = subject
        self.amount = amount
        self.currency = currency
        self.answer = answer
    }

    /// Whether it can be about this payment: the same reference with another sum or currency is somebody else's.
    func isAbout(_ payment: Payment) -> Bool {
        guard currency ?? payment.currency == payment.currency else { return false }
        return subject != .charge || amount ?? payment.amount == payment.amount
    }

    /// Whether it says that money moved, or that it did not.
    var isDecisive: Bool {
        switch answer.meaning {
        case .authorized, .captured, .declined, .voided, .refunded: true
        case .pending, .duplicate, .notFound: false
        }
    }
}
