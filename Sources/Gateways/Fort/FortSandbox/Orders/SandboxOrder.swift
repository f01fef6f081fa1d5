public import FortAPI
public import FoundationEssentials
public import PayrelayPrimitives

/// An order that the sandbox has charged or declined.
public struct SandboxOrder: Sendable, Equatable {
    public let merchantReference: String
    /// The merchant to whom the order belongs. Accounts of other merchants cannot see it.
    let merchantIdentifier: String
    public let command: FortCommand
    /// The amount in minor units of `currency`.
    public let amount: Int
    public let currency: String
    /// FORT's name of the card's scheme, such as `VISA`.
    public let paymentOption: String
    /// Apple's transaction identifier of the payment; empty if a stored card paid.
    let transactionIdentifier: String
    public let outcome: SandboxOutcome
    /// The order's number. It increases with every order, beginning with 0.
    public let number: Int
    public let createdAt: Date
    /// The card's number. No answer shows all of it.
    let cardNumber: String
    /// The stored card that paid, or that this payment stored; `nil` if there is none.
    let token: SandboxToken?
    /// The number of valid requests to charge the order. All except the first were answered as duplicates.
    public internal(set) var chargeRequests = 1
    /// The operations on the order since its charge.
    public internal(set) var ledger: SandboxLedger

    /// The duration of a hold, in seconds.
    static let hold = 10.0

    /// Creates an order from a charge.
    ///
    /// - Parameters:
    ///   - token: the stored card that pays, or that the payment stores.
    ///   - hasEnded: whether the agreement on which the charge is based has ended. The bank then declines the
    ///     charge.
    init(
        _ charge: SandboxCharge, number: Int, at moment: Date, token: SandboxToken? = nil, hasEnded: Bool = false
    ) {
        merchantReference = charge.merchantReference
        merchantIdentifier = charge.merchantIdentifier
        command = charge.command
        amount = charge.amount
        currency = charge.currency
        paymentOption = token?.paymentOption ?? charge.paymentOption
        transactionIdentifier = charge.transactionIdentifier
        cardNumber = token?.cardNumber ?? charge.cardNumber
        outcome = hasEnded ? .declined(message: "666") : charge.outcome
        self.number = number
        createdAt = moment
        self.token = token
        ledger = SandboxLedger(captured: command == .purchase && outcome.isCarriedOut ? amount : 0)
    }

    /// FORT's number of the order, with eighteen digits like FORT's real numbers.
    public var fortID: String { String(Self.firstFortID + number) }

    /// Returns the number of the order with this FORT number; `nil` if the text is not a number of an order.
    static func number(ofFortID fortID: String) -> Int? {
        Int(fortID).flatMap { $0 >= firstFortID ? $0 - firstFortID : nil }
    }

    private static let firstFortID = 149_295_435_400_084_008

    /// Whether the customer's money was held or taken.
    public var isCharged: Bool { outcome.isCarriedOut }

    func isOnHold(at moment: Date) -> Bool {
        outcome == .onHold && moment.timeIntervalSince(createdAt) < Self.hold
    }

    /// Returns the order at this moment, with the operations whose hold has ended.
    func settled(at moment: Date) -> SandboxOrder {
        var order = self
        order.ledger.settle(at: moment)
        return order
    }

    /// The order in the answer to `GET /_sandbox/orders`.
    public var json: JSON {
        [
            "merchant_reference": .string(merchantReference), "merchant_identifier": .string(merchantIdentifier),
            "command": .string(command.rawValue),
            "amount": JSON(amount), "currency": .string(currency), "fort_id": .string(fortID),
            "charged": .bool(isCharged), "charge_requests": JSON(chargeRequests),
            "captured_amount": JSON(ledger.captured), "refunded_amount": JSON(ledger.refunded),
            "voided": .bool(ledger.isVoided), "captures": JSON(ledger.captures), "refunds": JSON(ledger.refunds),
        ]
    }

    /// Returns FORT's answer to the charge.
    ///
    /// - Parameter outcome: the order's outcome for the answer; `success` for feedback after the hold.
    func response(to parameters: JSONObject, _ outcome: SandboxOutcome) -> JSONObject {
        var response = parameters.echoed()
        response["fort_id"] = .string(fortID)
        response["payment_option"] = .string(paymentOption)
        response["eci"] = parameters["eci"] ?? "ECOMMERCE"
        if isCharged { response["authorization_code"] = .string("S\(fortID.suffix(6))") }
        response["card_number"] = .string(TestCards.masked(cardNumber))
        response["card_holder_name"] = "SANDBOX CUSTOMER"
        response["expiry_date"] = "5012"
        if let token {
            response["card_holder_name"] = .string(token.cardHolderName)
            response["token_name"] = .string(token.name)
            response["agreement_id"] = token.agreementID.map { .string($0) }
        }
        let (status, message) = outcome.code(answering: command)
        return response.adding(status: status, message: message)
    }
}
