public import PayrelayPrimitives

/// A gateway's sandbox that the console of `payrelay-dev` shows and controls.
public protocol SandboxOnDesk: AnyObject, Sendable {
    associatedtype Fault: ScheduledFault
    associatedtype Command: FaultyCommand

    /// The gateway's name, in paths.
    static var name: String { get }
    /// The gateway's name, for people.
    static var title: String { get }
    /// The settings of the sandbox's messages that are addresses, with their labels.
    static var messageAddresses: KeyValuePairs<String, String> { get }

    var faults: SeededFaultSchedule<Fault, Command> { get set }
    /// The settings of the sandbox's messages, with `delivered`, the number of acknowledged messages, and
    /// `given_up`, the number of messages that were never acknowledged.
    var messages: JSONObject { get }
    /// Changes the settings of the sandbox's messages.
    ///
    /// - Parameter json: the settings; `nil` if no messages are to be sent.
    /// - Throws: ``ValidationErrors`` with every error in the settings. Nothing is changed then.
    func setMessages(_ json: JSON?) throws(ValidationErrors)
    /// Returns the newest orders in the books, the newest first.
    func newestOrders(limit: Int) async -> [OrderOnDesk]
}

extension SandboxOnDesk {
    /// Sets the addresses of the sandbox's messages.
    ///
    /// - Parameter addresses: the addresses under their names in ``messageAddresses``. If it is empty, no
    ///   messages are sent.
    /// - Throws: ``ValidationErrors`` with every error in the addresses. Nothing is changed then.
    public func sendMessages(to addresses: JSONObject) throws(ValidationErrors) {
        try setMessages(addresses.isEmpty ? nil : .object(addresses))
    }
}

/// An order in a sandbox's books. Amounts are in minor units.
public struct OrderOnDesk: Sendable {
    public let merchantReference: String
    let gatewayReference: String
    /// The command of the charge, or the status, in the gateway's words.
    let kind: String
    let amount: Int
    let currency: String
    /// Whether the customer's money was held or taken, even if it was given back later.
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
