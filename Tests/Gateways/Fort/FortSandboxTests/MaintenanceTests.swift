import FortAPI
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// The operations that are possible after an order's charge, and those that FORT's documents exclude.
@Suite struct MaintenanceTests {
    let bench: SandboxBench

    init() throws { bench = try SandboxBench() }

    @Test func capturesAddUpToWhatWasAuthorizedAndNoFurther() async throws {
        try await charge("A", .authorization)
        #expect(try await capture("A", 4_000) == "04000")
        #expect(try await capture("A", 6_001) == "05042")
        #expect(try await capture("A", 6_000) == "04000")
        #expect(try await capture("A", 1) == "05042")
        let found = try await bench.send(bench.query("A"))
        #expect(found.transactionState == .captured)
        #expect(found["captured_amount"] == "10000" && found["authorized_amount"] == "10000")
        #expect(await bench.sandbox.orders.first?.ledger.captures == 2)
    }

    @Test func refundsAddUpToWhatWasCapturedAndNoFurther() async throws {
        try await charge("A", .authorization)
        #expect(try await refund("A", 1) == "07048")
        _ = try await capture("A", 4_000)
        #expect(try await refund("A", 1_000) == "06000")
        #expect(try await refund("A", 3_001) == "07048")
        #expect(try await refund("A", 3_000) == "06000")
        let found = try await bench.send(bench.query("A"))
        #expect(found.transactionState == .refunded && found["refunded_amount"] == "4000")
    }

    @Test func anAuthorizationCanBeCapturedOrVoidedForSevenDays() async throws {
        try await charge("A", .authorization)
        try await charge("B", .purchase)
        bench.wait(seconds: 7 * 86_400 - 10)
        #expect(try await capture("A", 1_000) == "04000")
        bench.wait(seconds: 20)
        #expect(try await capture("A", 1_000) == "05034")
        #expect(try await refund("A", 1_000) == "06000")
        #expect(try await refund("B", 1_000) == "06000")
    }

    @Test func aRefundsReferenceIsTakenOnce() async throws {
        try await charge("A", .purchase)
        #expect(try await refund("A", 1_000, "r-1") == "06000")
        #expect(try await refund("A", 1_000, "r-1") == "07066")
        #expect(try await refund("A", 1_000, "r-2") == "06000")
        #expect(await bench.sandbox.orders.first?.ledger.refunded == 2_000)
    }

    @Test func aVoidComesBeforeAnyCaptureAndOnce() async throws {
        try await charge("A", .authorization)
        try await charge("B", .authorization)
        try await charge("C", .purchase)
        _ = try await capture("B", 1)
        #expect(try await void("A") == "08000")
        #expect(try await void("A") == "09034")
        #expect(try await void("B") == "09034")
        #expect(try await void("C") == "09034")
        #expect(try await capture("A", 1) == "05034")
        #expect(try await bench.send(bench.query("A")).transactionState == .voided)
    }

    @Test func anUnchargedOrderCannotBeCaptured() async throws {
        try await charge("A", .authorization, amount: 10_029)
        try await charge("B", .authorization, amount: 10_020)
        #expect(try await capture("A", 1) == "05034")
        #expect(try await capture("B", 1) == "05662")
        bench.wait(seconds: 11)
        #expect(try await capture("B", 1) == "04000")
        #expect(try await capture("C", 1) == "05036")
        #expect(try await capture("B", 1, currency: "USD") == "05013")
    }

    @Test func amountsChooseTheOutcomeHereToo() async throws {
        try await charge("A", .authorization, amount: 90_000)
        #expect(try await capture("A", 10_029) == "05029")
        #expect(try await capture("A", 15_777) == "15777")
        await #expect(throws: SandboxBench.Silence.self) { try await capture("A", 10_408) }
        #expect(await bench.sandbox.orders.first?.ledger.captured == 15_777 + 10_408)
    }

    @Test func aCaptureOnHoldCountsTenSecondsLater() async throws {
        try await charge("A", .authorization, amount: 20_000)
        #expect(try await capture("A", 10_020) == "20000")
        // The amount on hold is not available for another operation.
        #expect(try await capture("A", 9_981) == "05042")
        #expect(try await void("A") == "09662")
        let waiting = try await bench.send(bench.query("A"))
        #expect(waiting["captured_amount"] == "0" && waiting["transaction_code"] == "20000")
        #expect(waiting["authorized_amount"] == "20000")
        bench.wait(seconds: 11)
        let settled = try await bench.send(bench.query("A"))
        #expect(settled["captured_amount"] == "10020" && settled["transaction_code"] == "04000")
        #expect(await bench.sandbox.orders.first?.ledger.captures == 1)
        #expect(try await refund("A", 10_020) == "20000")
        #expect(try await refund("A", 1) == "07048")
        bench.wait(seconds: 11)
        #expect(try await bench.send(bench.query("A"))["refunded_amount"] == "10020")
    }

    @Test func aReferenceChoosesTheOutcomeOfOneCommand() async throws {
        try await charge("A.void-10029", .authorization)
        try await charge("B.void-10408", .authorization)
        try await charge("C.refund-10012", .purchase)
        try await charge("D.void-10020", .authorization)
        #expect(try await void("A.void-10029") == "09029")
        #expect(try await capture("A.void-10029", 1) == "04000")
        await #expect(throws: SandboxBench.Silence.self) { try await void("B.void-10408") }
        #expect(try await bench.send(bench.query("B.void-10408")).transactionState == .voided)
        #expect(try await refund("C.refund-10012", 1) == "07012")
        #expect(try await void("D.void-10020") == "20000")
        #expect(try await capture("D.void-10020", 1) == "05662")
        bench.wait(seconds: 11)
        #expect(try await bench.send(bench.query("D.void-10020")).transactionState == .voided)
        #expect(try await bench.code(of: bench.payment("E.charge-10666").body) == "13666")
        #expect(try await bench.code(of: bench.payment("F.charge-10000", amount: 10_666).body) == "14000")
    }

    @Test(
        arguments: [
            (["amount": "0"], "00005"), (["amount": "12345678901"], "00005"),
            (["amount": "9223372036854775807"], "00005"),
            (["currency": "XXX"], "00013"), (["fort_id": "x"], "00002"),
            (["maintenance_reference": .string(String(repeating: "r", count: 201))], "00032"),
            (["merchant_reference": .string(String(repeating: "A", count: 41))], "00032"),
            (["amount": ["deep": "1"]], "00002"), (["customer_ip": "192.0.2.1"], "00027"),
        ] as [(JSONObject, String)])
    func aParameterBeyondItsLimitsIsRefused(changes: JSONObject, code: String) async throws {
        try await charge("A", .purchase)
        let refund = try FortRequest(
            .refund, merchantReference: "A", amount: "1", currency: "AED", maintenanceReference: "r")
        let message = FortMessage(signing: refund, for: bench.account)
        #expect(try await bench.code(of: bench.changed(message, changes)) == code)
        #expect(await bench.sandbox.orders.first?.ledger.refunds == 0)
    }

    @Test func anSDKTokenIsMade() async throws {
        let request = try FortRequest(deviceID: "ffffffff-a9fa-0b44-7b27-29e70033c587")
        let answer = try await bench.send(FortMessage(signing: request, for: bench.account))
        #expect(answer.class == .success && answer.sdkToken != nil)
    }

    @Test func parametersThatACommandDoesNotHaveAreRefused() async throws {
        try await charge("A", .authorization)
        let void = FortMessage(signing: try FortRequest(.voidAuthorization, merchantReference: "A"), for: bench.account)
        #expect(try await bench.code(of: bench.changed(void, ["amount": "1"])) == "00027")
        #expect(try await bench.code(of: bench.changed(void, ["language": "fr"])) == "00033")
        #expect(try await bench.code(of: bench.changed(void, ["merchant_reference": .null])) == "00001")
    }

    private func charge(_ reference: String, _ command: FortCommand, amount: Int = 10_000) async throws {
        _ = try await bench.answer(to: bench.payment(reference, command, amount: amount).body)
    }

    private func capture(_ reference: String, _ amount: Int, currency: String = "AED") async throws -> String {
        try await code(FortRequest(.capture, merchantReference: reference, amount: String(amount), currency: currency))
    }

    private func refund(_ reference: String, _ amount: Int, _ name: String? = nil) async throws -> String {
        try await code(
            FortRequest(
                .refund, merchantReference: reference, amount: String(amount), currency: "AED",
                maintenanceReference: name))
    }

    private func void(_ reference: String) async throws -> String {
        try await code(FortRequest(.voidAuthorization, merchantReference: reference))
    }

    private func code(_ request: FortRequest) async throws -> String {
        try await bench.code(of: FortMessage(signing: request, for: bench.account).body)
    }
}
