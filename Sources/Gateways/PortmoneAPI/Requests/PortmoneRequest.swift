public import PayrelayPrimitives

/// One request to Portmone, before an account's login and password are in it.
public protocol PortmoneRequest: Sendable, Redacted {
    var method: PortmoneMethod { get }
    /// The members of `params.data`, the account's among them, in the order of the published requests. It holds the password.
    func data(for account: PortmoneAccount) -> JSONObject
}

extension PortmoneRequest {
    /// The body: `{"method","params":{"data":{…}},"id"}` in UTF-8. It holds the password.
    ///
    /// `APay` is published with the number 1 for an `id`, the others with the text "1" before `params`. Both are written as published.
    public func body(for account: PortmoneAccount) -> [UInt8] {
        let params: JSON = ["data": .object(data(for: account))]
        let json: JSON =
            switch method {
            case .aPay: ["method": .string(method.rawValue), "params": params, "id": 1]
            case .result, .confirmPreauth, .rejectPreauth, .return, .closeInvoice:
                ["method": .string(method.rawValue), "id": "1", "params": params]
            }
        return json.encoded()
    }

    public var description: String { method.rawValue }
}

/// Which bill a request is about.
public enum BillName: Sendable, Hashable {
    /// The merchant's number of the order, which may have several bills.
    case order(String)
    /// Portmone's own number of the bill.
    case bill(String)

    var member: (String, JSON) {
        switch self {
        case .order(let number): ("shopOrderNumber", .string(number))
        case .bill(let number): ("shopbillId", .string(number))
        }
    }
}

extension JSON {
    /// An amount in major units, as a number with all decimals of its currency.
    init(_ amount: MinorUnits, in currency: Currency) {
        self = .number(DecimalAmount.text(of: amount, in: currency))
    }
}
