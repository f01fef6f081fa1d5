public import FoundationEssentials
public import PayrelayPrimitives

/// A search for payments that match every filter that is set. Results are ordered by claim time, newest first, then by
/// reference, descending.
public struct PaymentQuery: Sendable, Equatable {
    /// The payments that can be found at all. This is not a filter: no filter can widen it.
    public enum Visibility: Sendable, Equatable {
        /// All payments: for an operator and, if clients are not authenticated, for every client.
        case everything
        /// S7: a client sees its payments and, with the scope for them, external payments.
        case payments(VisiblePayments)
    }

    public var visibleTo: Visibility
    public var merchantReference: String?
    /// The beginning of the reference. Only the case of ASCII letters does not count, and there are no wildcards.
    public var merchantReferencePrefix: String?
    /// The payment's ``Payment/gatewayReference``.
    public var gatewayReference: String?
    /// Apple's `header.transactionId`, in lower case.
    public var appleTransactionIdentifier: String?
    /// The last four digits of the card as the gateway reports it, or as the customer's phone shows it:
    /// ``Payment/cardLastFour``, ``CustomerDetails/cardLastFour``.
    public var cardLastFour: String?
    /// The card's number as the gateway masks it.
    public var cardNumber: AnsweredText?
    public var emailDigest: EmailDigest?
    public var phoneDigest: PhoneDigest?
    public var nameDigest: NameDigest?
    public var amounts: ClosedRange<MinorUnits>?
    /// An amount as people write it, in any currency.
    public var amountInAnyCurrency: AmountInAnyCurrency?
    /// ISO 4217, alphabetic.
    public var currency: String?
    public var outcome: PaymentState?
    public var command: Order.Command?
    /// The gateway's code of its answer to the charge.
    public var responseCode: AnsweredText?
    public var authorizationCode: AnsweredText?
    /// The card's network according to the gateway's answer or to the token (``CustomerDetails/cardNetwork``).
    public var cardNetwork: AnsweredText?
    /// The gateway's name.
    public var gateway: String?
    public var account: String?
    public var client: String?
    /// The earliest time of the claim (inclusive).
    public var claimedFrom: Date?
    /// The latest time of the claim (exclusive).
    public var claimedTo: Date?
    /// The earliest time of the last change (inclusive). An erasure by retention does not count as a change.
    public var changedFrom: Date?
    /// Whether to find only payments that need attention: they are open and were not opened in ``notOverdueIn``, or
    /// have dead-lettered events.
    public var needsAttention = false
    /// The times at which payments that are not overdue were opened. ``PaymentRelay/search(_:)`` sets it from its
    /// policy.
    public var notOverdueIn: ClosedRange<Date> = Date.distantPast...Date.distantFuture
    /// The end of the page before; `nil` for the first page.
    public var after: PaymentCursor?
    /// The maximum number of payments in a page.
    public var limit = Self.usualLimit

    public static let usualLimit = 50
    public static let limits = 1...200

    public init(visibleTo: Visibility = .everything) {
        self.visibleTo = visibleTo
    }

    /// The only client whose payments are searched; `nil` if the search is not limited to one client.
    public var searchedClient: String? {
        switch visibleTo {
        case .everything: client
        case .payments(let visible): visible.includeMadeElsewhere ? client : visible.client
        }
    }

    /// The client whose payments are searched together with external payments; `nil` if the search does not combine
    /// the two.
    public var searchedWithMadeElsewhere: String? {
        guard case .payments(let visible) = visibleTo, visible.includeMadeElsewhere, client == nil else { return nil }
        return visible.client
    }

    /// Whether a payment can match the query at all. It cannot if the query names another client than the one that
    /// may see the results, or if the reference does not begin with the prefix.
    public var isPossible: Bool {
        if let client, case .payments(let visible) = visibleTo, client != visible.client { return false }
        guard let merchantReference, let merchantReferencePrefix else { return true }
        return merchantReference.lowercasedASCII.utf8.starts(with: merchantReferencePrefix.lowercasedASCII.utf8)
    }
}

/// A page of payments.
public struct PaymentPage: Sendable, Equatable {
    public let payments: [Payment]
    /// The end of this page, after which the next one begins; `nil` if this page is the last. A page may have fewer
    /// payments than its limit, or none, and still be followed by others, because a journal reads a bounded number
    /// of payments per page.
    public let next: PaymentCursor?

    public init(payments: [Payment], next: PaymentCursor?) {
        self.payments = payments
        self.next = next
    }
}
