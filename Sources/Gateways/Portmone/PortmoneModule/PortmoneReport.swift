public import GatewayModule
import PayrelayPrimitives
import PortmoneAPI

extension PortmoneModule {
    /// Returns the outcome for the `status` of a bill in a report; `nil` for an unknown status. Portmone's
    /// plugins name the five statuses (``PortmoneStatus``). No public document describes a report.
    public static func reportedOutcome(_ status: String) -> ReportedOutcome? {
        switch PortmoneStatus.allCases.first(where: { $0.rawValue.isSame(ignoringCaseOf: status) }) {
        case .payed: .taken
        case .preauthorized: .succeeded(.authorization)
        case .returned: .succeeded(.refund)
        case .created, .rejected: .unpaid
        case nil: nil
        }
    }
}
