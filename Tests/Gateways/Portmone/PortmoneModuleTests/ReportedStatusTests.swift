import GatewayModule
import PortmoneModule
import Testing

@Suite struct ReportedStatusTests {
    @Test(
        "a status of a bill in a report says whether money was taken, held or returned, and another text says nothing",
        arguments: [
            ("PAYED", .taken), ("payed", .taken), ("PREAUTH", .succeeded(.authorization)),
            ("RETURN", .succeeded(.refund)), ("CREATED", .unpaid), ("REJECTED", .unpaid), ("PAID", nil), ("", nil),
            ("14", nil), ("PAYED ", nil),
        ] as [(String, ReportedOutcome?)])
    func readsAStatus(status: String, outcome: ReportedOutcome?) {
        #expect(PortmoneModule.reportedOutcome(status) == outcome)
    }
}
