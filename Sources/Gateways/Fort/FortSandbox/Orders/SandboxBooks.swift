import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

/// The sandbox's orders, by number and by reference. When the books are full, a new order replaces the oldest.
/// The oldest order is then no longer found, and its reference may be used again.
actor SandboxBooks {
    private var ring: NumberedRing<SandboxOrder>
    private var numberByReference: [String: Int] = [:]
    /// Apple's transaction identifiers of the remembered orders. A token can be used once.
    private var transactionIdentifiers: Set<String> = []
    private var sdkTokens = SandboxSdkTokens()
    private var tokens = SandboxTokens()
    /// Whether a declined order's reference may be used for another attempt. FORT's documents do not say what
    /// FORT does.
    var takesAnotherTry = false

    /// - Parameter limit: the maximum number of remembered orders, at least one.
    init(limit: Int) {
        ring = NumberedRing(limit: limit)
    }

    /// The numbers of the remembered orders.
    var numbers: Range<Int> { ring.numbers }

    /// Returns the remembered orders with these numbers, ascending.
    func orders(in numbers: Range<Int>) -> [SandboxOrder] {
        ring.entries(in: numbers)
    }

    /// Returns an order; `nil` if it is not remembered.
    ///
    /// - Without `fortID`, the last attempt with the reference is returned. If the order was charged twice, that
    ///   is the first charge.
    /// - With `fortID`, the attempt or charge with this FORT number is returned. The second charge of an order is
    ///   found only so.
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

    /// Records a charge under the next number, or under two numbers if the order is to be charged twice.
    ///
    /// - Returns: the recorded orders, ascending by number.
    /// - Throws: ``FailureResponse`` if an order with the charge's reference or token is remembered, or if the
    ///   SDK token or the stored card cannot be used. Nothing is recorded then.
    func enter(_ charge: SandboxCharge, at moment: Date) throws(FailureResponse) -> [SandboxOrder] {
        guard !noteRepetition(of: charge.merchantReference) else {
            throw FailureResponse(status: charge.command.failureStatus, message: "007")
        }
        if let token = charge.sdkToken, sdkTokens.issue(of: token, at: moment) == nil {
            // Another request with this SDK token came first, or the token expired in the meantime.
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

    /// Returns the stored card that a recurring payment names. FORT's answer to a token of another merchant is
    /// not public; the sandbox answers that the token does not exist.
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

    /// Stores the card of a payment with which the customer agrees to later payments; `nil` if the customer does
    /// not agree, or if the payment is declined.
    private func newToken(for charge: SandboxCharge) -> SandboxToken? {
        guard charge.asksForAgreement, charge.outcome.isCarriedOut else { return nil }
        return tokens.issue(
            to: charge.merchantIdentifier, paymentOption: charge.paymentOption,
            cardHolderName: charge.customerName ?? Self.cardHolderName, cardNumber: charge.cardNumber,
            isRecurring: true)
    }

    /// The name on a card if the request does not name the customer.
    private static var cardHolderName: String { "SANDBOX CARDHOLDER" }

    /// Ends an agreement on recurring payments.
    ///
    /// - Returns: `false` if there is no such agreement.
    func end(agreement identifier: String) -> Bool { tokens.end(agreement: identifier) }

    /// Returns the latest agreements on recurring payments, newest first.
    func agreements(limit: Int) -> [JSON] { tokens.agreements(limit: limit) }

    func setTakesAnotherTry(_ takes: Bool) { takesAnotherTry = takes }

    /// Returns whether an order with this reference is remembered, and counts one more request to charge it. A
    /// declined order does not count if another attempt is allowed.
    func noteRepetition(of merchantReference: String) -> Bool {
        guard let number = numberByReference[merchantReference] else { return false }
        if takesAnotherTry, !ring[number].isCharged { return false }
        ring[number].chargeRequests += 1
        return true
    }

    /// Carries out a capture, a void or a refund.
    ///
    /// - Returns: the order after the operation.
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

    /// Returns the issue of an SDK token; `nil` if the token cannot be used.
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

    /// Returns a stored card; `nil` if there is no card with this name, or if it belongs to another merchant.
    func savedCard(named name: String, of merchantIdentifier: String) -> SandboxToken? {
        tokens.token(name, of: merchantIdentifier)
    }
}
