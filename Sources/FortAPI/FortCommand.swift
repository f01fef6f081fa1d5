/// What a request asks FORT to do.
public enum FortCommand: String, Hashable, Sendable, CaseIterable {
    /// Hold the money; a capture takes it later.
    case authorization = "AUTHORIZATION"
    /// Hold and take the money at once.
    case purchase = "PURCHASE"
    /// Ask what became of an order.
    case checkStatus = "CHECK_STATUS"

    /// The parameter that carries the command: `command`, or `query_command` where it changes nothing.
    public var parameterName: String {
        switch self {
        case .authorization, .purchase: "command"
        case .checkStatus: "query_command"
        }
    }

    /// The one response code that says it was done. There is no second one: status 20, in some samples beside `14000`,
    /// means "on hold".
    public var successCode: FortCode {
        switch self {
        case .authorization: FortCode(status: "02", message: "000")
        case .purchase: FortCode(status: "14", message: "000")
        case .checkStatus: FortCode(status: "12", message: "000")
        }
    }
}
