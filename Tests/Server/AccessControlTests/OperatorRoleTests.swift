import PaymentRelay
import Testing

@testable import AccessControl

@Suite struct OperatorRoleTests {
    /// The whole table of docs/authentication.md.
    private static let table: [(OperatorAction, Set<OperatorRole>)] = [
        (.look, [.viewer, .support, .finance]), (.queryGateway, [.support, .finance]),
        (.resendEvents, [.support, .finance]), (.writeNote, [.support, .finance]),
        (.takePayment, [.support, .finance]), (.releasePayment, [.finance]), (.exportPayments, [.support, .finance]),
        (.seeBackendAnswers, [.support, .finance]), (.simulateGateway, [.support, .finance]),
        (.capture, [.finance]), (.void, [.finance]), (.refund, [.finance]),
        (.resolvePayment, [.finance]), (.forget, [.finance]),
    ]

    @Test("S7: each role may perform exactly the actions of the table") func holdsTheTable() {
        #expect(Self.table.map(\.0) == OperatorAction.allCases)
        for (action, roles) in Self.table {
            for role in OperatorRole.allCases { #expect(role.may(action) == roles.contains(role), "\(role) \(action)") }
        }
    }
}
