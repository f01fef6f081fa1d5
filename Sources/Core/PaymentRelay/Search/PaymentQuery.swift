public import FoundationEssentials
public import PayrelayPrimitives

/// A search for payments that match every filter that is set. Results are ordered by claim time, newest first, then by
/// reference, descending.
public struct PaymentQuery: Sendable, Equatable {
    /// Whose payments can be found at all. It is not a filter: nothing that is asked for widens it.
    public enum Visibility: Sendable, Equatable {
        /// An operator's, and everyone's where clients are not authenticated.
        case everything
        /// S7: a client sees its own payments, and with the scope for them those that were made elsewhere.
        case payments(VisiblePayments)
    }

    public var visibleTo: Visibility
    public var merchantReference: String?
    /// Compared byte by byte, but for the case of ASCII letters: no character stands for others.
    public var merchantReferencePrefix: String?
    /// See ``Payment/gatewayReference``.
    public var gatewayReference: String?
    /// Apple's `header.transactionId`, in lower case.
    public var appleTransactionIdentifier: String?
    /// Of the card as the gateway has it, or as the customer's phone names it: ``Payment/cardLastFour``,
    /// ``CustomerDetails/cardLastFour``.
    public var cardLastFour: String?
    /// The card's number as the gateway masks it.
    public var cardNumber: AnsweredText?
    public var emailDigest: EmailDigest?
    public var phoneDigest: PhoneDigest?
    public var nameDigest: NameDigest?
    public var amounts: ClosedRange<MinorUnits>?
    /// As people write it, in whatever currency.
    public var amountInAnyCurrency: AmountInAnyCurrency?
    /// ISO 4217, alphabetic.
    public var currency: String?
    public var outcome: PaymentState?
    public var command: Order.Command?
    /// The gateway's code of its answer to the charge.
    public var responseCode: AnsweredText?
    public var authorizationCode: AnsweredText?
    /// As the gateway answers it, or as the token has it (``CustomerDetails/cardNetwork``).
    public var cardNetwork: AnsweredText?
    /// By its name.
    public var gateway: String?
    public var account: String?
    public var client: String?
    /// Claimed then or later.
    public var claimedFrom: Date?
    /// Claimed before.
    public var claimedTo: Date?
    /// Changed then or later, but for what retention erased.
    public var changedFrom: Date?
    /// Open and not opened in ``notOverdueIn``, or with dead-lettered events.
    public var needsAttention = false
    /// ``PaymentRelay/search(_:)`` sets it by its policy.
    public var notOverdueIn: ClosedRange<Date> = Date.distantPast...Date.distantFuture
    /// Where the page before ended; nil for the first.
    public var after: PaymentCursor?
    /// How many payments a page has at most.
    public var limit = Self.usualLimit

    public static let usualLimit = 50
    public static let limits = 1...200

    public init(visibleTo: Visibility = .everything) {
        self.visibleTo = visibleTo
    }

    /// The client whose payments are searched, and no others; nil for those of more than one.
    public var searchedClient: String? {
        switch visibleTo {
        case .everything: client
        case .payments(let visible): visible.includeMadeElsewhere ? client : visible.client
        }
    }

    /// The client whose payments are searched together with those that were made elsewhere; nil where not both are.
    public var searchedWithMadeElsewhere: String? {
        guard case .payments(let visible) = visibleTo, visible.includeMadeElsewhere, client == nil else { return nil }
        return visible.client
    }

    /// Whether there can be a payment that it describes: none is of another client than the one that may see it, and a reference has
    /// one beginning.
    public var isPossible: Bool {
        if let client, case .payments(let visible) = visibleTo, client != visible.client { return false }
        guard let merchantReference, let merchantReferencePrefix else { return true }
        return merchantReference.lowercasedASCII.utf8.starts(with: merchantReferencePrefix.lowercasedASCII.utf8)
    }
}

/// A page of payments.
public struct PaymentPage: Sendable, Equatable {
    public let payments: [Payment]
    /// Where the next page begins; nil where this one is the last. A page may have fewer payments than its limit, or none, and still
    /// be followed by others: a journal looks at a bounded number of payments for each.
    public let next: PaymentCursor?

    public init(payments: [Payment], next: PaymentCursor?) {
        self.payments = payments
        self.next = next
    }
}
