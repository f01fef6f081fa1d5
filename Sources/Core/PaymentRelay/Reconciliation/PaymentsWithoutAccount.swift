/// Why no request about a payment is sent: the payment's account is not configured, or its name belongs to another
/// merchant now.
///
/// An open payment without its account stays open, because another account, or another merchant, cannot know its
/// outcome.
public enum AccountUnavailability: Sendable, Equatable {
    /// No account of this name is configured at the payment's gateway.
    case notConfigured
    /// The name is configured, and represents another merchant's account now.
    ///
    /// - was: the gateway's identifier of the merchant that charged the payment.
    /// - now: the identifier that is configured.
    case otherMerchant(was: String, now: String)
}

extension Gateways {
    /// Returns why no request about a payment is sent; `nil` if the account that charged the payment is configured.
    /// A payment that names no account belongs to its gateway's first account.
    public func unavailability(of payment: Payment) -> AccountUnavailability? {
        guard let gateway = gateway(named: payment.gateway) else { return .notConfigured }
        guard let name = payment.account else { return nil }
        guard let account = gateway.accounts.first(where: { $0.name == name }) else { return .notConfigured }
        guard let was = payment.merchantIdentifier, was != account.merchantIdentifier else { return nil }
        return .otherMerchant(was: was, now: account.merchantIdentifier)
    }
}

extension AccountUnavailability {
    /// The reason for clients and histories. It names no merchant, because clients are not shown the identifiers.
    var reason: String {
        switch self {
        case .notConfigured: "the payment's account is not configured"
        case .otherMerchant:
            "the payment's account belongs to another merchant now, and only the merchant that charged it is queried"
        }
    }
}

/// Open payments whose account is unavailable for the same reason.
public struct PaymentsWithoutAccount: Sendable, Equatable {
    /// See ``Payment/qualifiedAccount``.
    public let account: String
    public let unavailability: AccountUnavailability
    /// How many of the account's open payments were counted.
    public fileprivate(set) var payments: Int
    /// The merchant references of the payments that have been open longest, at most ``referenceLimit``.
    public fileprivate(set) var references: [String]

    public static let referenceLimit = 10
}

extension PaymentRelay {
    /// Returns the open payments whose account is unavailable, grouped by account and reason. It reads at most the
    /// ``openPaymentsRead`` payments that have been open longest.
    public func openPaymentsWithoutAccount() async throws(JournalError) -> [PaymentsWithoutAccount] {
        var groups: [PaymentsWithoutAccount] = []
        var place: PaymentCursor?
        for _ in 0..<(Self.openPaymentsRead / Self.openPaymentsInPage) {
            let page = try await journal.list(.open, after: place, limit: Self.openPaymentsInPage)
            let known = try await journal.knownPayments(page.map(\.merchantReference))
            for payment in page.compactMap({ known[$0.merchantReference] }) {
                guard let unavailability = gateways.unavailability(of: payment) else { continue }
                groups.add(payment, unavailability)
            }
            guard page.count == Self.openPaymentsInPage else { break }
            place = page.last
        }
        return groups.sorted { $0.account < $1.account }
    }

    /// How many open payments are read to check their accounts.
    static let openPaymentsRead = 20_000
    private static let openPaymentsInPage = 1_000
}

extension [PaymentsWithoutAccount] {
    fileprivate mutating func add(_ payment: Payment, _ unavailability: AccountUnavailability) {
        let account = payment.qualifiedAccount
        let place =
            firstIndex { $0.account == account && $0.unavailability == unavailability }
            ?? {
                append(
                    PaymentsWithoutAccount(
                        account: account, unavailability: unavailability, payments: 0, references: []))
                return endIndex - 1
            }()
        self[place].payments += 1
        if self[place].references.count < PaymentsWithoutAccount.referenceLimit {
            self[place].references.append(payment.merchantReference)
        }
    }
}

extension Payment {
    /// The account that charged the payment, after its gateway's name and a space.
    public var qualifiedAccount: String { account.map { "\(gateway) \($0)" } ?? gateway }
}
