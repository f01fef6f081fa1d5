/// The command of a request to FORT.
public enum FortCommand: String, Hashable, Sendable, CaseIterable {
    /// Holds the money. A capture takes it later.
    case authorization = "AUTHORIZATION"
    /// Holds and takes the money at once.
    case purchase = "PURCHASE"
    /// Takes money that an authorization holds, all or part of it.
    case capture = "CAPTURE"
    /// Releases the money that an authorization holds.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// Gives back money that was taken, all or part of it.
    case refund = "REFUND"
    /// Queries the state of an order.
    case checkStatus = "CHECK_STATUS"
    /// Creates a token with which FORT's mobile SDK may pay once.
    case sdkToken = "SDK_TOKEN"

    /// The parameter that carries the command: `command` for commands that move money, `query_command` for the
    /// query, and `service_command` for the SDK token.
    public var parameterName: String {
        switch self {
        case .authorization, .purchase, .capture, .voidAuthorization, .refund: "command"
        case .checkStatus: "query_command"
        case .sdkToken: "service_command"
        }
    }

    /// The only response code that means that the command was done. In some of APS's samples status 20 appears
    /// beside `14000`, but it means "on hold".
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
