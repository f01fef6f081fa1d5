import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

/// A stored card: what a first payment is answered, and what later payments of the same card name.
public final class SandboxToken: Sendable {
    /// FORT's `token_name`.
    public let name: String
    /// FORT's `agreement_id`; nil for a card that was stored without an agreement on recurring payments.
    public let agreementID: String?
    /// Whose it is: the token is good for this merchant's accounts and for no others.
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

/// The cards that the sandbox has stored. A new one may replace the oldest, whose token then does not exist any more.
struct SandboxTokens {
    private var ring: NumberedRing<SandboxToken>
    private var numberByName: [String: Int] = [:]
    private var numberByAgreement: [String: Int] = [:]
    private var endedAgreements: Set<String> = []

    /// - Parameter limit: at least one.
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

    /// As in the example of APS's page: `AGR` and digits, at most 15 characters.
    private func newAgreementID() -> String {
        var identifier: String
        repeat {
            identifier = "AGR\(Int.random(in: 100_000_000_000...999_999_999_999))"
        } while numberByAgreement[identifier] != nil
        return identifier
    }

    /// The card of this token; nil where it is not remembered or is another merchant's.
    func token(_ name: String, of merchantIdentifier: String) -> SandboxToken? {
        guard let number = numberByName[name] else { return nil }
        let token = ring[number]
        return token.merchantIdentifier == merchantIdentifier ? token : nil
    }

    /// Whether the customer or the bank has ended the agreement on recurring payments of this card.
    func hasEnded(_ token: SandboxToken) -> Bool {
        token.agreementID.map(endedAgreements.contains) ?? false
    }

    /// Ends an agreement: from now on the bank declines what it is charged with.
    ///
    /// - Returns: false where there is no such agreement.
    mutating func end(agreement identifier: String) -> Bool {
        guard numberByAgreement[identifier] != nil else { return false }
        endedAgreements.insert(identifier)
        return true
    }

    /// The agreements as `GET /_sandbox/agreements` shows them: the latest, newest first.
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
