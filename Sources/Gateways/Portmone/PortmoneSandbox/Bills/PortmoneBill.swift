public import FoundationEssentials
public import PayrelayPrimitives

/// A bill: one charge of an order, or an attempt to charge it.
public struct PortmoneBill: Sendable, Equatable {
    /// Portmone's `status`.
    public enum Status: String, Sendable, CaseIterable {
        /// The customer was sent to the bank's page.
        case created = "CREATED"
        /// The money is held.
        case preauth = "PREAUTH"
        case payed = "PAYED"
        /// The charge failed, or the held money was released.
        case rejected = "REJECTED"
        /// Money was given back. This is the status of each ``Return``.
        case returned = "RETURN"
    }

    /// Money that was given back. In an answer it is a separate entry with a negative amount, beside the entry of
    /// its bill.
    public struct Return: Sendable, Equatable {
        /// The return's own `shopBillId`.
        public let shopBillId: String
        /// The amount in minor units.
        public let amount: Int
        public let date: Date
    }

    /// The bill's number. It increases with every bill, beginning with 0.
    public let number: Int
    public let payeeId: String
    public let shopOrderNumber: String
    /// The charged or held amount, in minor units of `currency`.
    public let amount: Int
    public let currency: Currency
    public let createdAt: Date
    /// The members of the request that answers repeat: `description`, `attribute1` to `attribute5`, `lang`.
    let echoed: [String: String]
    /// Apple's name of the card's network.
    let cardNetwork: String
    /// Apple's transaction identifier of the payment, in lower case.
    let transactionIdentifier: String
    public internal(set) var status: Status
    /// Whether the customer's money was held or taken, even if it was given back later.
    public let isCharged: Bool
    /// The reason for the rejection; `nil` if the charge was not declined.
    var decline: PortmoneOutcome.Decline?
    /// The amount taken from the customer, in minor units.
    public internal(set) var paid: Int
    /// The number of captures (`confirmPreauth`) that were carried out.
    public internal(set) var captures = 0
    public internal(set) var returns: [Return] = []

    init(_ charge: PortmoneCharge, number: Int, at moment: Date) {
        self.number = number
        payeeId = charge.payeeId
        shopOrderNumber = charge.shopOrderNumber
        amount = charge.amount.value
        currency = charge.currency
        createdAt = moment
        echoed = charge.echoed
        cardNetwork = charge.cardNetwork
        transactionIdentifier = charge.transactionIdentifier
        switch charge.outcome {
        case .declined(let decline):
            status = .rejected
            self.decline = decline
        case .needs3DS: status = .created
        case .preauthorized: status = .preauth
        default: status = charge.isPreauthorization ? .preauth : .payed
        }
        isCharged = status == .preauth || status == .payed
        paid = status == .payed ? amount : 0
    }

    /// Portmone's number of the bill, with nine digits like Portmone's real numbers.
    public var shopBillId: String { Self.identifier(number) }

    static func identifier(_ number: Int) -> String { String(firstIdentifier + number) }

    /// Returns the number of the bill with this `shopBillId`; `nil` if the text is not a `shopBillId`.
    static func number(_ shopBillId: String) -> Int? {
        guard shopBillId.utf8.count <= 15, shopBillId.utf8.allSatisfy(\.isASCIIDigit), let value = Int(shopBillId),
            identifier(value - firstIdentifier).isExactly(shopBillId)
        else { return nil }
        return value - firstIdentifier
    }

    private static let firstIdentifier = 550_000_000

    /// Whether the held or taken money was given back before it was paid out.
    var isVoided: Bool { isCharged && status == .rejected }

    /// The amount that was given back, in minor units.
    public var returned: Int { returns.reduce(0) { $0 + $1.amount } }

    /// The value of `billAmount` in minor units: the captured amount, or the requested amount before the capture.
    /// If less was captured than was held, no public source says which of the two Portmone answers.
    var billAmount: Int { status == .payed ? paid : amount }
}
