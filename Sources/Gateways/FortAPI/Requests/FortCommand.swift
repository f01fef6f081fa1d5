/// Command of a request to FORT.
public enum FortCommand: String, Hashable, Sendable, CaseIterable {
    /// Hold the money; a capture takes it later.
    case authorization = "AUTHORIZATION"
    /// Hold and take the money at once.
    case purchase = "PURCHASE"
    /// Take money that an authorization holds, all or part of it.
    case capture = "CAPTURE"
    /// Let go of what an authorization holds.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// Give back money that was taken, all or part of it.
    case refund = "REFUND"
    /// Ask what became of an order.
    case checkStatus = "CHECK_STATUS"
    /// Make a token with which FORT's mobile SDK may pay once.
    case sdkToken = "SDK_TOKEN"

    /// The parameter that carries the command: `command` where it moves money, `query_command` where it asks,
    /// `service_command` for the rest.
    public var parameterName: String {
        switch self {
        case .authorization, .purchase, .capture, .voidAuthorization, .refund: "command"
        case .checkStatus: "query_command"
        case .sdkToken: "service_command"
        }
    }

    /// The one response code that says it was done. There is no second one: status 20, in some samples beside `14000`,
    /// means "on hold".
    public var successCode: FortCode {
        switch self {
        case .authorization: FortCode(status: "02", message: "000")
        case .purchase: FortCode(status: "14", message: "000")
        case .capture: FortCode(status: "04", message: "000")
        case .voidAuthorization: FortCode(status: "08", message: "000")
        case .refund: FortCode(status: "06", message: "000")
        case .checkStatus: FortCode(status: "12", message: "000")
        case .sdkToken: FortCode(status: "22", message: "000")
        }
    }
}
