import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPostgres
import Testing

/// One Apple token pays one order, whatever the settings of the instance.
@Suite struct TokenIdentityTests {
    @Test(
        "R13: a token stays used when verification is switched on or off",
        arguments: [("required", "off"), ("off", "required")])
    func aTokenStaysUsedWhenVerificationIsSwitched(before: String, after: String) async throws {
        let first = try await RunningRelay(["PAYRELAY_TOKEN_VERIFICATION": before])
        let order = try Orders.body()
        #expect(try await first.pay(order.json).outcome == "captured")
        first.program.signal(SIGTERM)
        try await first.program.end()
        let second = try await RunningRelay(after: first, ["PAYRELAY_TOKEN_VERIFICATION": after])
        let again = try await second.pay(order.with(["merchant_reference": .string(Orders.reference())]))
        #expect(again.status == 409 && again.problem == "token-used")
        #expect(try await second.sandbox.books().count == 1)
    }

    @Test(
        "R13: a token stays used at an instance with other settings",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
    func aTokenStaysUsedAtAnInstanceWithOtherSettings() async throws {
        let journal = ["PAYRELAY_JOURNAL": try PostgresServer.shared.get().emptySchema()]
        let first = try await RunningRelay(journal)
        let second = try await RunningRelay(
            sandbox: first.sandbox, journal.merging(["PAYRELAY_TOKEN_VERIFICATION": "off"]) { $1 })
        for (one, other) in [(first, second), (second, first)] {
            let order = try Orders.body()
            #expect(try await one.pay(order.json).outcome == "captured")
            let again = try await other.pay(order.with(["merchant_reference": .string(Orders.reference())]))
            #expect(again.status == 409 && again.problem == "token-used")
        }
        #expect(try await first.sandbox.books().count == 2)
    }
}
