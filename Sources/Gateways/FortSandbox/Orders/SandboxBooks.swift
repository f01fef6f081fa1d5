import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

/// The sandbox's orders, by number and by reference. A new order may replace the oldest, which is then not found any more and
/// whose reference may be used again.
actor SandboxBooks {
    private var ring: NumberedRing<SandboxOrder>
    private var numberByReference: [String: Int] = [:]
    /// Apple's names of the payments that remembered orders were paid with. A token is good once.
    private var transactionIdentifiers: Set<String> = []
    private var sdkTokens = SandboxSdkTokens()
    private var tokens = SandboxTokens()
    /// Whether a declined order leaves its reference free for another try. FORT's documents do not say what FORT does.
    var takesAnotherTry = false

    /// - Parameter limit: the most orders to remember, at least one.
    init(limit: Int) {
        ring = NumberedRing(limit: limit)
    }

    /// The numbers of the orders that are remembered.
    var numbers: Range<Int> { ring.numbers }

    /// The remembered orders among these numbers, ascending.
    func orders(in numbers: Range<Int>) -> [SandboxOrder] {
        ring.entries(in: numbers)
    }

    /// Of several attempts under one reference, the last, or the one that FORT's number of it names. Of two charges it is the first: the
    /// other one is found by its number only.
    func order(_ merchantReference: String, fortID: String? = nil) -> SandboxOrder? {
        number(of: merchantReference, fortID: fortID).map { ring[$0] }
    }

    private func number(of merchantReference: String, fortID: String?) -> Int? {
        guard let fortID else { return numberByReference[merchantReference] }
        guard let number = SandboxOrder.number(ofFortID: fortID), ring.numbers.contains(number),
            ring[number].merchantReference == merchantReference
        else { return nil }
        return number
    }

    /// Enters a charge under the next number, or under two numbers if the order is to be charged twice.
    ///
    /// - Returns: its orders, the first of them first.
    /// - Throws: where an order of its reference, or one paid with its token, is remembered; nothing is entered then.
    func enter(_ charge: SandboxCharge, at moment: Date) throws(FailureResponse) -> [SandboxOrder] {
        guard !noteRepetition(of: charge.merchantReference) else {
            throw FailureResponse(status: charge.command.failureStatus, message: "007")
        }
        if let token = charge.sdkToken, sdkTokens.issue(of: token, at: moment) == nil {
            // Another request with this token came first, or its hour ended in between.
            throw FortSandbox.sdkTokenRefused
        }
        guard !transactionIdentifiers.contains(charge.transactionIdentifier) else {
            throw FailureResponse(status: "00", message: "102")
        }
        let stored = try charge.storedCard.map { card throws(FailureResponse) in
            try self.token(card, of: charge.merchantIdentifier)
        }
        if let token = charge.sdkToken { sdkTokens.use(token) }
        if !charge.transactionIdentifier.isEmpty { transactionIdentifiers.insert(charge.transactionIdentifier) }
        let order = SandboxOrder(
            charge, number: ring.count, at: moment, token: stored ?? newToken(for: charge),
            hasEnded: stored.map(tokens.hasEnded) ?? false)
        append(order)
        numberByReference[order.merchantReference] = order.number
        guard order.outcome == .chargedTwice else { return [order] }
        let second = SandboxOrder(charge, number: ring.count, at: moment, token: order.token)
        append(second)
        return [order, second]
    }

    private func append(_ order: SandboxOrder) {
        if let forgotten = ring.append(order) {
            if numberByReference[forgotten.merchantReference] == forgotten.number {
                numberByReference[forgotten.merchantReference] = nil
            }
            transactionIdentifiers.remove(forgotten.transactionIdentifier)
        }
    }

    /// The stored card that a recurring payment names. FORT's answer to a token of another merchant is not public; here it does not
    /// exist.
    private func token(
        _ card: SandboxCharge.StoredCard, of merchantIdentifier: String
    ) throws(FailureResponse) -> SandboxToken {
        guard let token = tokens.token(card.tokenName, of: merchantIdentifier) else {
            throw FailureResponse(status: "00", message: "044")
        }
        guard card.agreementID ?? token.agreementID == token.agreementID else {
            throw FailureResponse(status: "00", message: "088")
        }
        return token
    }

    /// Stores the card of a payment with which the customer agrees to later ones; nil for every other, and for one that is
    /// declined.
    private func newToken(for charge: SandboxCharge) -> SandboxToken? {
        guard charge.asksForAgreement, charge.outcome.isCarriedOut else { return nil }
        return tokens.issue(
            to: charge.merchantIdentifier, paymentOption: charge.paymentOption,
            cardHolderName: charge.customerName ?? Self.cardHolderName, cardNumber: charge.cardNumber,
            isRecurring: true)
    }

    /// Of a card whose customer is not named.
    private static var cardHolderName: String { "SANDBOX CARDHOLDER" }

    /// - Returns: false where there is no such agreement.
    func end(agreement identifier: String) -> Bool { tokens.end(agreement: identifier) }

    /// The latest agreements on recurring payments, newest first.
    func agreements(limit: Int) -> [JSON] { tokens.agreements(limit: limit) }

    func setTakesAnotherTry(_ takes: Bool) { takesAnotherTry = takes }

    /// Whether an order of this reference is remembered; where it is, this is one more request to charge it. A declined one that leaves
    /// room for another try is none.
    func noteRepetition(of merchantReference: String) -> Bool {
        guard let number = numberByReference[merchantReference] else { return false }
        if takesAnotherTry, !ring[number].isCharged { return false }
        ring[number].chargeRequests += 1
        return true
    }

    /// Carries out a capture, a void or a refund.
    ///
    /// - Returns: the order afterwards.
    func maintain(_ request: SandboxMaintenance, at moment: Date) throws(FailureResponse) -> SandboxOrder {
        guard let number = self.number(of: request.merchantReference, fortID: request.fortID),
            ring[number].merchantIdentifier == request.merchantIdentifier
        else {
            throw FailureResponse(status: request.command.failureStatus, message: "036")
        }
        try ring[number].maintain(request, at: moment)
        return ring[number]
    }

    func issue(sdkToken token: String, _ issue: SandboxSdkTokens.Issue) {
        sdkTokens.issue(token, issue)
    }

    /// Returns the issue of an SDK token; nil if the token cannot be used.
    func issue(ofSdkToken token: String, at moment: Date) -> SandboxSdkTokens.Issue? {
        sdkTokens.issue(of: token, at: moment)
    }

    /// Stores the card of an order whose customer asked for it with `remember_me`.
    func saveCard(of order: SandboxOrder, cardHolderName: String?) -> SandboxToken {
        tokens.issue(
            to: order.merchantIdentifier, paymentOption: order.paymentOption,
            cardHolderName: cardHolderName ?? Self.cardHolderName, cardNumber: order.cardNumber,
            isRecurring: false)
    }

    /// Nil where there is none of this name, or it is another merchant's.
    func savedCard(named name: String, of merchantIdentifier: String) -> SandboxToken? {
        tokens.token(name, of: merchantIdentifier)
    }
}
