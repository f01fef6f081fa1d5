import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

/// A stored card. FORT's answer to a first payment contains its token, and later payments with the card name the
/// token.
public final class SandboxToken: Sendable {
    /// FORT's `token_name`.
    public let name: String
    /// FORT's `agreement_id`; `nil` if the card was stored without an agreement on recurring payments.
    public let agreementID: String?
    /// The merchant whose accounts may use the token. Other merchants' accounts cannot use it.
    public let merchantIdentifier: String
    /// FORT's name of the card's scheme.
    public let paymentOption: String
    /// FORT's `card_holder_name`.
    public let cardHolderName: String
    let cardNumber: String

    init(
        name: String, agreementID: String?, merchantIdentifier: String, paymentOption: String, cardHolderName: String,
        cardNumber: String
    ) {
        self.name = name
        self.agreementID = agreementID
        self.merchantIdentifier = merchantIdentifier
        self.paymentOption = paymentOption
        self.cardHolderName = cardHolderName
        self.cardNumber = cardNumber
    }
}

extension SandboxToken: Equatable {
    public static func == (one: SandboxToken, other: SandboxToken) -> Bool { one.name == other.name }
}

/// The cards that the sandbox has stored. When the table is full, a new card replaces the oldest, whose token
/// then no longer exists.
struct SandboxTokens {
    private var ring: NumberedRing<SandboxToken>
    private var numberByName: [String: Int] = [:]
    private var numberByAgreement: [String: Int] = [:]
    private var endedAgreements: Set<String> = []

    /// - Parameter limit: the maximum number of stored cards, at least one.
    init(limit: Int = 100_000) {
        ring = NumberedRing(limit: limit)
    }

    /// Stores a card.
    ///
    /// - Parameter isRecurring: whether the customer agreed to recurring payments.
    mutating func issue(
        to merchantIdentifier: String, paymentOption: String, cardHolderName: String, cardNumber: String? = nil,
        isRecurring: Bool
    ) -> SandboxToken {
        let token = SandboxToken(
            name: UUID().uuidString.lowercasedASCII.replacingEach("-", with: ""),
            agreementID: isRecurring ? newAgreementID() : nil, merchantIdentifier: merchantIdentifier,
            paymentOption: paymentOption, cardHolderName: cardHolderName,
            cardNumber: cardNumber ?? TestCards.number(of: paymentOption))
        numberByName[token.name] = ring.count
        if let agreement = token.agreementID { numberByAgreement[agreement] = ring.count }
        if let forgotten = ring.append(token) { forget(forgotten) }
        return token
    }

    private mutating func forget(_ token: SandboxToken) {
        numberByName[token.name] = nil
        guard let agreement = token.agreementID else { return }
        numberByAgreement[agreement] = nil
        endedAgreements.remove(agreement)
    }

    /// Returns a new identifier in the format of the example on APS's page: `AGR` and digits, at most 15
    /// characters.
    private func newAgreementID() -> String {
        var identifier: String
        repeat {
            identifier = "AGR\(Int.random(in: 100_000_000_000...999_999_999_999))"
        } while numberByAgreement[identifier] != nil
        return identifier
    }

    /// Returns the card of a token; `nil` if it is not remembered, or if it belongs to another merchant.
    func token(_ name: String, of merchantIdentifier: String) -> SandboxToken? {
        guard let number = numberByName[name] else { return nil }
        let token = ring[number]
        return token.merchantIdentifier == merchantIdentifier ? token : nil
    }

    /// Whether the customer or the bank has ended the agreement on recurring payments with this card.
    func hasEnded(_ token: SandboxToken) -> Bool {
        token.agreementID.map(endedAgreements.contains) ?? false
    }

    /// Ends an agreement. From now on the bank declines payments with its card.
    ///
    /// - Returns: `false` if there is no such agreement.
    mutating func end(agreement identifier: String) -> Bool {
        guard numberByAgreement[identifier] != nil else { return false }
        endedAgreements.insert(identifier)
        return true
    }

    /// Returns the latest agreements, newest first, as `GET /_sandbox/agreements` shows them.
    func agreements(limit: Int) -> [JSON] {
        ring.numbers.reversed().lazy.map { ring[$0] }
            .filter { $0.agreementID != nil }.prefix(limit)
            .map { token in
                [
                    "agreement_id": .string(token.agreementID ?? ""), "token_name": .string(token.name),
                    "merchant_identifier": .string(token.merchantIdentifier),
                    "payment_option": .string(token.paymentOption), "ended": .bool(hasEnded(token)),
                ]
            }
    }
}
