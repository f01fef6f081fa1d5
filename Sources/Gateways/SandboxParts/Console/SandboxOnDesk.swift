public import PayrelayPrimitives

/// A gateway's sandbox as the console of `payrelay-dev` shows and sets it.
public protocol SandboxOnDesk: AnyObject, Sendable {
    associatedtype Fault: ScheduledFault
    associatedtype Command: FaultyCommand

    /// The gateway's name, in paths.
    static var name: String { get }
    /// The gateway's name, for people.
    static var title: String { get }
    /// Those settings of its messages that are addresses, and their labels.
    static var messageAddresses: KeyValuePairs<String, String> { get }

    var faults: SeededFaultSchedule<Fault, Command> { get set }
    /// The settings of its messages, with `delivered` and `given_up`: how many were acknowledged, and how many never.
    var messages: JSONObject { get }
    /// - Parameter json: the settings of its messages; nil sends none.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with them; nothing is changed then.
    func setMessages(_ json: JSON?) throws(ValidationErrors)
    /// The newest orders of its books, the newest first.
    func newestOrders(limit: Int) async -> [OrderOnDesk]
}

extension SandboxOnDesk {
    /// - Parameter addresses: those that are set, by their names in ``messageAddresses``. Where there is none, no message is sent.
    /// - Throws: ``ValidationErrors`` with everything that is wrong with them; nothing is changed then.
    public func sendMessages(to addresses: JSONObject) throws(ValidationErrors) {
        try setMessages(addresses.isEmpty ? nil : .object(addresses))
    }
}

/// An order in a sandbox's books. Amounts are in minor units.
public struct OrderOnDesk: Sendable {
    public let merchantReference: String
    let gatewayReference: String
    /// What it was charged by, or its status, in the gateway's words.
    let kind: String
    let amount: Int
    let currency: String
    /// Whether the customer's money was held or taken, whatever became of it.
    public let isCharged: Bool
    public let isVoided: Bool
    public let captured: Int
    public let refunded: Int

    public init(
        merchantReference: String, gatewayReference: String, kind: String, amount: Int, currency: String,
        isCharged: Bool, isVoided: Bool, captured: Int, refunded: Int
    ) {
        self.merchantReference = merchantReference
        self.gatewayReference = gatewayReference
        self.kind = kind
        self.amount = amount
        self.currency = currency
        self.isCharged = isCharged
        self.isVoided = isVoided
        self.captured = captured
        self.refunded = refunded
    }

    var outcome: String {
        var words = [isCharged ? "charged" : "not charged"]
        if isVoided { words.append("voided") }
        if captured != 0 { words.append("\(captured) captured") }
        if refunded != 0 { words.append("\(refunded) refunded") }
        return words.joined(separator: ", ")
    }
}
