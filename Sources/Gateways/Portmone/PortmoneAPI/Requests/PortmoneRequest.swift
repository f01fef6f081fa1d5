public import PayrelayPrimitives

/// A request to Portmone, before the login and the password of an account are added.
public protocol PortmoneRequest: Sendable, Redacted {
    var method: PortmoneMethod { get }
    /// Returns the members of `params.data` in the order of the published requests, including the account's
    /// credentials. The result contains the password.
    func data(for account: PortmoneAccount) -> JSONObject
}

extension PortmoneRequest {
    /// Returns the body in UTF-8: `{"method","params":{"data":{…}},"id"}`. The body contains the password.
    ///
    /// Published requests to `APay` have the number 1 as `id`, after `params`. The other published requests have
    /// the text "1", before `params`. Both are written as published.
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

/// The bill or bills that a request is about.
public enum BillName: Sendable, Hashable {
    /// The merchant's order number. The order may have several bills.
    case order(String)
    /// Portmone's number of one bill.
    case bill(String)

    var member: (String, JSON) {
        switch self {
        case .order(let number): ("shopOrderNumber", .string(number))
        case .bill(let number): ("shopbillId", .string(number))
        }
    }
}

extension JSON {
    /// An amount in major units, as a number with all decimals of the currency.
    init(_ amount: MinorUnits, in currency: Currency) {
        self = .number(DecimalAmount.text(of: amount, in: currency))
    }
}
