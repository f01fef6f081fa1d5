import Primitives

/// An order in the sandbox's books, as far as an audit needs it.
public struct BookedOrder: Sendable, Equatable {
    public var reference: String
    /// Whether money was held or taken.
    public var isCharged: Bool
    /// How many requests to charge it reached the sandbox.
    public var chargeRequests: Int

    public init(reference: String, isCharged: Bool, chargeRequests: Int) {
        self.reference = reference
        self.isCharged = isCharged
        self.chargeRequests = chargeRequests
    }

    /// - Parameter json: an element of `GET /_sandbox/orders`; nil where it is none.
    init?(json: JSON) {
        guard let reference = json["merchant_reference"]?.stringValue, case .bool(let charged)? = json["charged"],
            case .number(let text)? = json["charge_requests"], let requests = Int(text)
        else { return nil }
        self.init(reference: reference, isCharged: charged, chargeRequests: requests)
    }
}
