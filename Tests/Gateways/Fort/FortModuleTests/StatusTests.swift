import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

@testable import FortModule
@testable import PaymentRelay

/// CHECK_STATUS has two layers: the query's own code, and below it the state of the payment.
@Suite struct StatusTests {
    @Test(
        arguments: [
            (["transaction_status": "14", "transaction_code": "14000", "captured_amount": "10000"], .captured),
            (["transaction_status": "04", "transaction_code": "04000", "captured_amount": "10000"], .captured),
            (["transaction_status": "02", "transaction_code": "02000", "authorized_amount": "10000"], .authorized),
            (["transaction_status": "14", "captured_amount": .number("10000")], .captured),
            (["transaction_status": "14"], .captured),
            (["transaction_status": "08", "transaction_code": "08000"], .voided),
            (["transaction_status": "06", "transaction_code": "06000"], .refunded),
            (["transaction_status": "13", "transaction_code": "13666"], .declined),
            (["transaction_status": "03", "transaction_code": "03012"], .declined),
            // The amount is not this payment's: it belongs to another order with this reference, or to another part of this
            // order.
            (["transaction_status": "14", "captured_amount": "9999"], nil),
            (["transaction_status": "14", "captured_amount": "100.00"], nil),
            (["transaction_status": "02", "authorized_amount": "1"], nil),
            // Totals are missing, or contradict the status (R14).
            (["transaction_status": "06", "captured_amount": "10000"], nil),
            (["transaction_status": "06", "refunded_amount": "3000"], nil),
            (["transaction_status": "14", "refunded_amount": "99999"], nil),
            (["transaction_status": "14", "captured_amount": "0", "refunded_amount": "0"], nil),
            (["transaction_status": "14", "captured_amount": "4000", "refunded_amount": "0"], nil),
            (["transaction_status": "06", "captured_amount": "10000", "refunded_amount": "0"], nil),
            (["transaction_status": "14", "authorized_amount": "10000", "captured_amount": "99999"], nil),
            (["transaction_status": "14", "captured_amount": "10000", "refunded_amount": ""], .captured),
            // The payment is not decided.
            (["transaction_status": "20", "transaction_code": "20000"], nil), (["transaction_status": "19"], nil),
            (["transaction_status": "15", "transaction_code": "15777"], nil), (["transaction_status": "01"], nil),
            (["transaction_status": "99"], nil), (["transaction_status": "10", "transaction_code": "10078"], nil),
            (["transaction_status": "13", "transaction_code": "13777"], nil), (["transaction_status": "13"], nil),
            // The layers of the payment contradict each other.
            (["transaction_status": "14", "transaction_code": "13666", "captured_amount": "10000"], nil),
            (["transaction_status": "13", "transaction_code": "14000"], nil),
            // The query succeeded and does not report the payment's state.
            ([:], nil), (["transaction_code": "14000"], nil),
        ] as [(JSONObject, GatewayAnswer.Meaning?)])
    func anAnsweredQueryMeans(told: JSONObject, meaning: GatewayAnswer.Meaning?) async throws {
        let answer = try await answer(told, to: .purchase)
        let isImplausible = answer.implausibility(for: try Samples.payment()) != nil
        #expect(meaning.map { answer.meaning == $0 && !isImplausible } ?? (answer.meaning.isPending || isImplausible))
    }

    /// `transaction_status` is the status of the last operation. If that operation failed, the totals still show the order's
    /// state.
    @Test(
        arguments: [
            ("07666", "10000", "0", .captured), ("07066", "10000", "3000", .refunded),
            ("09034", "10000", "0", .captured), ("05012", "0", "0", .authorized),
            // The operation may follow a void, or have been done; or the totals are missing, or contradict each other.
            ("09034", "0", "0", nil), ("05047", "0", "0", nil), ("07777", "10000", "0", nil), ("07666", "", "0", nil),
            ("07666", "10000", "", nil), ("07666", "99999", "0", nil), ("07666", "10000", "10001", nil),
        ] as [(String, String, String, GatewayAnswer.Meaning?)])
    func aFailedOperationLeavesTheChargeAsItIs(
        code: String, captured: String, refunded: String, meaning: GatewayAnswer.Meaning?
    ) async throws {
        var told: JSONObject = [
            "transaction_status": .string(String(code.prefix(2))), "transaction_code": .string(code),
            "authorized_amount": "10000", "captured_amount": .string(captured), "refunded_amount": .string(refunded),
        ]
        let found = try await answer(told)
        let isPlausible = found.implausibility(for: try Samples.payment()) == nil
        #expect(isPlausible && !found.meaning.isPending ? found.meaning == meaning : meaning == nil)
        told["transaction_code"] = nil
        #expect(try await answer(told).meaning.isPending)
    }

    @Test("A refund that FORT declined, and whose answer was lost, ends")
    func aDeclinedRefundEnds() async throws {
        var payment = try Samples.payment()
        payment.state = .captured
        payment.balance = Balance(captured: 10_000)
        payment.gatewayReference = "1"
        payment.operations = [
            PaymentOperation(
                command: .refund, amount: 1_000, maintenanceReference: nil, idempotencyKey: "k",
                before: Balance(captured: 10_000), begunAt: Date(), state: .uncertain)
        ]
        let fort = try ScriptedFort(answering: [
            "response_code": "12000", "transaction_status": "07", "transaction_code": "07666", "fort_id": "1",
            "captured_amount": "10000", "refunded_amount": "0",
        ])
        let report = await fort.gateway.status(of: payment)
        let patience = NotFoundPatience(charge: .zero, operation: .seconds(60))
        let input = PaymentInput.queried(report, timeUncertain: .seconds(60))
        guard
            case .record(let change) = payment.apply(
                input,
                on: Occasion(at: Date(), origin: Origin(.checkStatus(by: .reconciler), request: nil)),
                patience: patience)
        else {
            Issue.record("it stays open")
            return
        }
        #expect(change.after.operations.last?.state == .notProcessed && change.after.state == .captured)
    }

    @Test(arguments: ["12036", "11036", "00036"])
    func anOrderThatFORTDoesNotHaveIsNotFound(code: String) async throws {
        #expect(try await answer(["response_code": .string(code)]).meaning == .notFound)
    }

    /// A failed query proves nothing, whatever its other parameters say.
    @Test(arguments: ["00008", "00010", "11006", "11000", "12777", "14000", "13666", "00001"])
    func aQueryThatFailedSettlesNothing(code: String) async throws {
        for status in ["14", "13"] {
            let told: JSONObject = ["response_code": .string(code), "transaction_status": .string(status)]
            #expect(try await answer(told).meaning.isPending)
        }
    }

    @Test func theSummaryHasThePaymentsCodesAndNotTheQuerys() async throws {
        let answer = try await answer([
            "status": "12", "response_message": "Query done.", "transaction_code": "13666", "transaction_status": "13",
            "transaction_message": "Transaction declined.", "fort_id": "149295435400084008",
            "authorization_code": "S1",
        ])
        #expect(
            answer.summary == [
                "fort_id": "149295435400084008", "authorization_code": "S1", "response_code": "13666",
                "response_class": "declined", "response_message": "Transaction declined.", "status": "13",
            ])
        #expect(answer.response["response_code"] == "12000")
    }

    @Test("A number in FORT's answer is shown as a text", arguments: ["13666", .number("13666")] as [JSON])
    func aNumberIsReadAsText(code: JSON) async throws {
        let answer = try await answer([
            "transaction_code": code, "transaction_status": .number("13"), "fort_id": .number("149295435400084008"),
        ])
        #expect(answer.meaning == .declined && answer.reference == "149295435400084008")
        #expect(
            answer.summary == [
                "fort_id": "149295435400084008", "response_code": "13666", "response_class": "declined", "status": "13",
            ])
        #expect(answer.response["transaction_code"] == code)
    }

    @Test func anInvalidCodeHasNoClassOfTheQuery() async throws {
        let answer = try await answer(["transaction_code": "1366", "transaction_status": "13"])
        #expect(answer.meaning.isPending && answer.summary["response_class"] == "uncertain")
    }

    @Test func withoutAPaymentTheSummaryHasTheQuerysCodes() async throws {
        let told: JSONObject = ["response_code": "12036", "status": "12", "response_message": "Order not found."]
        let summary = try await answer(told).summary
        #expect(summary["response_class"] == "not_found")
        for member in told.members { #expect(summary[member.name] == member.value) }
    }

    @Test func aQueryWithoutAnAnswerIsUnanswered() async throws {
        let fort = try ScriptedFort { _ in .unknown(reason: "timed out") }
        let report = await fort.gateway.status(of: try Samples.payment())
        #expect(report == .unknown(reason: "FORT did not answer: timed out"))
    }

    @Test func aQueryThatDidNotLeaveIsNotSent() async throws {
        let fort = try ScriptedFort { _ in .notSent(reason: "connection refused") }
        let report = await fort.gateway.status(of: try Samples.payment())
        #expect(report == .notSent(reason: "FORT could not be reached: connection refused"))
    }

    @Test func theAnswerAboutAnotherOrderIsUnanswered() async throws {
        let fort = try ScriptedFort(answering: [
            "merchant_reference": "B", "response_code": "12000", "transaction_status": "14",
        ])
        let report = await fort.gateway.status(of: try Samples.payment())
        #expect(report.unknownReason?.contains("merchant_reference") == true)
    }

    @Test("R17: a charge that a notification names is queried by FORT's number of it")
    func queriesOneChargeByItsNumber() async throws {
        let second = "149295435400084009"
        let fort = try ScriptedFort(answering: [
            "response_code": "12000", "transaction_status": "14", "transaction_code": "14000",
            "authorized_amount": "20000", "captured_amount": "20000", "refunded_amount": "0",
        ])
        let answer = try #require(await fort.gateway.status(of: try Samples.payment(), charge: second).answer)
        #expect(fort.requests.map { $0["fort_id"] } == [.string(second)])
        #expect(fort.requests.map { $0["merchant_reference"] } == [.string(try Samples.payment().merchantReference)])
        #expect(answer.meaning == .captured && answer.reference == second && answer.captured == 20_000)
    }

    @Test("R16: a signed answer about another number than was queried is an answer that proves nothing")
    func anAnswerAboutAnotherNumberProvesNothing() async throws {
        for (told, isNamed) in [("149295435400084008", true), (nil, false)] as [(String?, Bool)] {
            let fort = try ScriptedFort(answering: [
                "response_code": "12000", "transaction_status": "14", "transaction_code": "14000",
                "captured_amount": "10000", "refunded_amount": "0", "fort_id": told.map { .string($0) } ?? .null,
            ])
            let report = await fort.gateway.status(of: try Samples.payment(), charge: "149295435400084009")
            let answer = try #require(report.answer)
            #expect(answer.reference == nil)
            if isNamed { #expect(answer.meaning.isPending && answer.totals == nil) }
        }
    }

    @Test("R10: an answer to CHECK_STATUS that states another currency proves nothing", arguments: ["USD", "aed", nil])
    func refusesAnotherCurrency(told: String?) async throws {
        var answer: JSONObject = [
            "response_code": "12000", "transaction_status": "14", "transaction_code": "14000",
            "captured_amount": "10000", "refunded_amount": "0",
        ]
        answer["currency"] = told.map { .string($0) }
        let fort = try ScriptedFort(answering: answer)
        let report = await fort.gateway.status(of: try Samples.payment())
        #expect((report.answer == nil) == (told == "USD"))
    }

    @Test("S9: FORT is queried by numbers that it can have given, and by no others")
    func refusesNumbersThatAreNotForts() throws {
        let fort = try ScriptedFort { _ in .unknown(reason: "nothing was expected") }.gateway
        for number in ["1", "149295435400084009", "12345678901234567890"] { #expect(fort.canQuery(charge: number)) }
        for number in ["", "-1", "1 2", "149295435400084009&", "123456789012345678901", "٢", "0x1", "1e3"] {
            #expect(!fort.canQuery(charge: number), "\(number)")
        }
    }

    /// Returns the answer to CHECK_STATUS with these parameters. The query succeeded unless the parameters say otherwise.
    private func answer(_ told: JSONObject, to command: Order.Command = .purchase) async throws -> GatewayAnswer {
        var told = told
        if told["response_code"] == nil { told["response_code"] = "12000" }
        let fort = try ScriptedFort(answering: told)
        let report = await fort.gateway.status(of: try Samples.payment(command))
        #expect(fort.requests.map { $0["query_command"] } == ["CHECK_STATUS"])
        return try #require(report.answer)
    }
}
