public import FoundationEssentials
public import PayrelayPrimitives

/// A bill: one charge of an order, or the try of one.
public struct PortmoneBill: Sendable, Equatable {
    /// Portmone's `status`.
    public enum Status: String, Sendable, CaseIterable {
        /// The customer was sent to the bank's page.
        case created = "CREATED"
        /// The money is held.
        case preauth = "PREAUTH"
        case payed = "PAYED"
        /// The charge failed, or what was held is given back.
        case rejected = "REJECTED"
        /// Money was given back: the status of each ``Return``.
        case returned = "RETURN"
    }

    /// Money that was given back: on the wire an entry of its own, beside its bill, with a negative amount.
    public struct Return: Sendable, Equatable {
        /// Its own `shopBillId`.
        public let shopBillId: String
        /// In minor units.
        public let amount: Int
        public let date: Date
    }

    /// Ascends with every bill, from 0.
    public let number: Int
    public let payeeId: String
    public let shopOrderNumber: String
    /// In minor units of `currency`: what was charged or held.
    public let amount: Int
    public let currency: Currency
    public let createdAt: Date
    /// The members of the request that answers repeat: `description`, `attribute1` to `attribute5`, `lang`.
    let echoed: [String: String]
    /// Apple's name of the card's network.
    let cardNetwork: String
    /// Apple's name of the payment, in lower case.
    let transactionIdentifier: String
    public internal(set) var status: Status
    /// Whether the customer's money was held or taken, whatever became of it.
    public let isCharged: Bool
    /// Why it was rejected; nil where it was not.
    var decline: PortmoneOutcome.Decline?
    /// In minor units: what was taken of the customer.
    public internal(set) var paid: Int
    /// How often it was confirmed.
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

    /// Portmone's name of the bill: nine digits, as Portmone's are.
    public var shopBillId: String { Self.identifier(number) }

    static func identifier(_ number: Int) -> String { String(firstIdentifier + number) }

    /// The number of the bill with this name; nil for a text that names none.
    static func number(_ shopBillId: String) -> Int? {
        guard shopBillId.utf8.count <= 15, shopBillId.utf8.allSatisfy(\.isASCIIDigit), let value = Int(shopBillId),
            identifier(value - firstIdentifier).isExactly(shopBillId)
        else { return nil }
        return value - firstIdentifier
    }

    private static let firstIdentifier = 550_000_000

    /// Whether what was held or taken was given back before it was paid out.
    var isVoided: Bool { isCharged && status == .rejected }

    /// In minor units.
    public var returned: Int { returns.reduce(0) { $0 + $1.amount } }

    /// Value of `billAmount`, in minor units: the amount taken, and before that the amount asked for. No public source
    /// says which it is once less was confirmed than was held.
    var billAmount: Int { status == .payed ? paid : amount }
}
