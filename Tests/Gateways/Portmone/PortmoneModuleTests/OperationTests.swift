import PayrelayPrimitives
import PortmoneAPI
import Testing

@testable import PaymentRelay
@testable import PortmoneModule

@Suite struct OperationTests {
    private func payment(_ operation: PaymentOperation, bill: String? = "550298815") throws -> Payment {
        let state: PaymentState = operation.command == .refund ? .captured : .authorized
        return try Samples.payment(
            state, operation.command == .refund ? .purchase : .authorization, balance: operation.before,
            operations: [operation], bill: bill)
    }

    private func operation(_ command: OperationCommand, _ amount: MinorUnits = 4_000) -> PaymentOperation {
        Samples.operation(
            command, amount, before: command == .refund ? Balance(captured: 10_000) : Balance(), state: .processing)
    }

    private func perform(
        _ command: OperationCommand, _ portmone: ScriptedPortmone, amount: MinorUnits = 4_000,
        bill: String? = "550298815",
        fields: [String: String] = [:]
    ) async throws -> Outcome<GatewayAnswer> {
        let operation = operation(command, amount)
        let payment = try payment(operation, bill: bill)
        let report = try await portmone.gateway().perform(payment, operation, fields: fields)
        #expect(report.implausibility(for: payment) == nil)
        return report
    }

    /// Returns an answer as the methods give it, with underscores in its names.
    private static func answer(_ status: String, _ amount: String, _ changes: JSONObject = [:]) -> JSON {
        var answer: JSONObject = [
            "shop_bill_id": "550298815", "shop_order_number": "ORDER-1", "bill_amount": .string(amount),
            "status": .string(status), "error_code": "0", "error_message": "", "auth_code": "831000",
        ]
        for member in changes.members { answer[member.name] = member.value == .null ? nil : member.value }
        return .object(answer)
    }

    private static let done: [(OperationCommand, JSON, GatewayAnswer.Meaning)] = [
        (.capture, answer("PAYED", "40.00"), .captured), (.voidAuthorization, answer("REJECTED", "100.00"), .voided),
        (.refund, answer("RETURN", "-40.00"), .refunded),
    ]

    @Test(
        "an operation is done if the answer names the order, the status and the amount", arguments: 0..<3,
        [true, false])
    func isDone(place: Int, isList: Bool) async throws {
        let (command, answer, meaning) = Self.done[place]
        let portmone = ScriptedPortmone(isList ? [answer] : answer)
        let report = try #require(try await perform(command, portmone).answer)
        #expect(report.meaning == meaning)
        #expect(report.reference == "550298815")
        #expect(portmone.methods == [["confirmPreauth", "rejectPreauth", "return"][place]])
        let begun = operation(command)
        guard
            case .record(let change) = try payment(begun).afterOperation(
                .answered(report), to: begun, on: .at(Samples.now))
        else {
            Issue.record("nothing was recorded")
            return
        }
        #expect(change.after.operations.last?.state == .done)
    }

    @Test("the request names the bill if it is known, otherwise the order, and the amount in major units")
    func requests() async throws {
        let capture = ScriptedPortmone(nil)
        _ = try await perform(.capture, capture)
        #expect(capture.requests[0].data["postauthAmount"] == .number("40.00"))
        #expect(capture.requests[0].data["shopbillId"] == "550298815")
        #expect(capture.requests[0].data["shopOrderNumber"] == "ORDER-1")
        let refund = ScriptedPortmone(nil)
        _ = try await perform(.refund, refund, fields: ["order_description": "sent back"])
        #expect(refund.requests[0].data["returnAmount"] == .number("40.00"))
        #expect(refund.requests[0].data["message"] == "sent back")
        #expect(refund.requests[0].data["shopbillId"] == "550298815")
        let void = ScriptedPortmone(nil)
        _ = try await perform(.voidAuthorization, void, bill: nil)
        #expect(void.requests[0].data["shopOrderNumber"] == "ORDER-1")
        #expect(void.requests[0].data["shopbillId"] == nil)
    }

    @Test(
        "an answer that does not say that this was done settles nothing",
        arguments: [
            (.capture, answer("PAYED", "39.99")), (.capture, answer("PREAUTH", "100.00")),
            (.capture, answer("RETURN", "-40.00")), (.capture, answer("SOMETHING", "40.00")),
            (.capture, answer("PAYED", "40.000")), (.capture, answer("PAYED", "-40.00")),
            (.capture, answer("PAYED", "40.00", ["shop_order_number": "ORDER-2"])),
            (.capture, answer("PAYED", "40.00", ["shop_order_number": .null])),
            (.capture, answer("PAYED", "40.00", ["shop_bill_id": "550298816"])),
            (.capture, answer("PAYED", "40.00", ["payee_id": "1186"])),
            (.capture, answer("PAYED", "40.00", ["billCurrency": "EUR"])),
            (.voidAuthorization, answer("PREAUTH", "100.00")), (.voidAuthorization, answer("PAYED", "100.00")),
            (.voidAuthorization, answer("REJECTED", "100.00", ["shop_bill_id": "550298816"])),
            (.refund, answer("RETURN", "40.00")), (.refund, answer("RETURN", "-40.01")),
            (.refund, answer("RETURN", "-1e1")),
            (.refund, answer("PAYED", "40.00")),
            (.refund, answer("RETURN", "-40.00", ["shop_order_number": "ORDER-2"])),
            (.refund, [:]), (.refund, []), (.capture, [answer("PAYED", "40.00"), answer("PAYED", "40.00")]),
        ] as [(OperationCommand, JSON)])
    func settlesNothing(command: OperationCommand, answer: JSON) async throws {
        let portmone = ScriptedPortmone(answer)
        let report = try await perform(command, portmone)
        #expect(report.isUnknown || report.answer?.meaning.isPending == true)
        #expect(portmone.methods.count == 1)
    }

    @Test("a partial capture that took the whole hold is recorded with the whole amount")
    func capturesTheWholeHold() async throws {
        let begun = operation(.capture)
        let report = try await perform(.capture, ScriptedPortmone(Self.answer("PAYED", "100.00")))
        guard case .record(let change) = try payment(begun).afterOperation(report, to: begun, on: .at(Samples.now))
        else {
            Issue.record("nothing was recorded")
            return
        }
        #expect(change.after.operations.last?.state == .done && change.after.state == .captured)
        #expect(change.after.balance == Balance(captured: 10_000))
        // More than the held amount cannot be this payment's capture.
        let more = try await ScriptedPortmone(Self.answer("PAYED", "100.01")).gateway()
            .perform(try payment(begun), begun, fields: [:])
        #expect(more.implausibility(for: try payment(begun))?.kind == .otherAmount)
    }

    @Test("an operation is sent once, and open without an answer")
    func silence() async throws {
        for command in OperationCommand.allCases {
            for (reply, isUnknown) in [
                (Outcome<JSON?>.unknown(reason: "x"), true), (.answered(nil), true), (.notSent(reason: "x"), false),
            ] {
                let portmone = ScriptedPortmone([{ _ in reply }])
                let report = try await perform(command, portmone)
                #expect(report.isUnknown == isUnknown)
                #expect(portmone.methods.count == 1)
            }
        }
    }

    @Test(
        "an error is a decline if result shows the earlier status, or one that excludes the operation",
        arguments: [
            (.capture, Samples.bill("PREAUTH"), true), (.capture, Samples.bill("REJECTED"), true),
            (.capture, Samples.bill("PAYED", ["billAmount": "39.99"]), true),
            (.capture, Samples.bill("PAYED", ["billAmount": "40.00"]), false),
            // The bill may show the whole hold although 40 were captured.
            (.capture, Samples.bill("PAYED"), false), (.capture, Samples.bill("CREATED"), false),
            (.voidAuthorization, Samples.bill("PREAUTH"), true), (.voidAuthorization, Samples.bill("PAYED"), true),
            (.voidAuthorization, Samples.bill("REJECTED"), false), (.refund, Samples.bill("PAYED"), true),
            (.refund, Samples.bill("REJECTED"), true), (.refund, Samples.bill("RETURN"), false),
            (.refund, Samples.bill("RETURN", ["billAmount": "-40.00"]), false),
            (.refund, Samples.bill("PAYED", ["shopOrderNumber": "ORDER-2"]), false),
        ] as [(OperationCommand, JSON, Bool)])
    func errors(command: OperationCommand, bill: JSON, isDeclined: Bool) async throws {
        let failures: [JSON] = [
            ["errorCode": "5", "error": "the status does not allow it"], [["error_code": 5]],
            Self.answer("PREAUTH", "100.00", ["error_code": "5"]),
        ]
        for failure in failures {
            let portmone = ScriptedPortmone(failure, [bill])
            let answer = try #require(try await perform(command, portmone).answer)
            #expect(isDeclined ? answer.meaning == .declined : answer.meaning.isPending)
            #expect(portmone.methods.last == "result")
            #expect(try await perform(command, ScriptedPortmone(failure, nil)).answer?.meaning.isPending == true)
        }
    }

    /// Portmone may carry an operation out after the close of its day. An operation that counts as declined may be requested
    /// again.
    @Test(
        "an error whose code does not refuse the operation is not a decline while result shows the status from before",
        arguments: [
            ["errorCode": "6", "error": "cancelled already, or not found"], ["error_code": "120"], ["errorCode": "12"],
            ["errorCode": "05"], ["errorCode": "1.0"], ["errorCode": "-1"], ["errorCode": "15", "error": "5"],
            ["error": "the status does not allow it"],
            ["errorCode": "50", "status": "PAYED", "shopBillId": "550298815"],
        ] as [JSON])
    func errorsThatDoNotRefuse(failure: JSON) async throws {
        for (command, status) in [
            (OperationCommand.capture, "PREAUTH"), (.voidAuthorization, "PREAUTH"), (.refund, "PAYED"),
        ] {
            let answer = try await perform(command, ScriptedPortmone(failure, [Samples.bill(status)])).answer
            #expect(answer?.meaning.isPending == true, "\(command)")
        }
        // A status that excludes the operation is proof, whatever the error's text.
        for (command, status) in [
            (OperationCommand.capture, "REJECTED"), (.voidAuthorization, "PAYED"), (.refund, "REJECTED"),
        ] {
            let answer = try await perform(command, ScriptedPortmone(failure, [Samples.bill(status)])).answer
            #expect(answer?.meaning == .declined, "\(command)")
        }
    }

    @Test("a return that is refused with a published code is declined", arguments: ["1", "5", .number("5")] as [JSON])
    func refusedReturn(code: JSON) async throws {
        let answer = try await perform(.refund, ScriptedPortmone(["error_code": code], [Samples.bill("PAYED")])).answer
        #expect(answer?.meaning == .declined)
    }

    @Test("an error is not a decline because of another bill, or of a bill not known to be the payment's")
    func errorsBesideAnotherBill() async throws {
        let failure: JSON = ["errorCode": "5", "error": "the status does not allow it"]
        let other = Samples.bill("PREAUTH", ["shopBillId": "550298816"])
        for bills: JSON in [[Samples.bill("REJECTED"), other], [other, Samples.bill("REJECTED")]] {
            // The payment's hold was voided.
            let capture = try await perform(.capture, ScriptedPortmone(failure, bills)).answer
            #expect(capture?.meaning == .declined, "\(bills)")
            let void = try await perform(.voidAuthorization, ScriptedPortmone(failure, bills)).answer
            #expect(void?.meaning.isPending == true, "\(bills)")
        }
        for (status, own) in [
            ("PREAUTH", "550298815"), ("REJECTED", "550298815"), ("PAYED", "550298815"), ("REJECTED", nil),
            ("PAYED", nil),
        ] as [(String, String?)] {
            let bill = Samples.bill(status, ["shopBillId": "550298816", "billAmount": "30.00"])
            for command in [OperationCommand.capture, .voidAuthorization] {
                let answer = try await perform(command, ScriptedPortmone(failure, [bill]), bill: own).answer
                #expect(answer?.meaning.isPending == true, "\(command), \(bill)")
            }
        }
        let refund = try await perform(
            .refund, ScriptedPortmone(failure, [Samples.bill("REJECTED", ["shopBillId": "550298816"])])
        ).answer
        #expect(refund?.meaning.isPending == true)
    }

    @Test("a decline because of an external operation reports that operation")
    func doneElsewhere() async throws {
        let failure: JSON = ["errorCode": "5", "error": "the status does not allow it"]
        let taken = try await perform(.voidAuthorization, ScriptedPortmone(failure, [Samples.bill("PAYED")])).answer
        #expect(taken?.meaning == .declined && taken?.captured == 10_000)
        let lifted = try await perform(.capture, ScriptedPortmone(failure, [Samples.bill("REJECTED")])).answer
        #expect(lifted?.meaning == .declined && lifted?.authorized == .zero)
    }

    @Test("an error is not a decline of a refund if result does not show the earlier refunds")
    func errorsBeforeReturnsShow() async throws {
        let failure: JSON = ["errorCode": "5", "error": "the status does not allow it"]
        let refund = Samples.operation(
            .refund, 2_000, before: Balance(captured: 10_000, refunded: 3_000), state: .processing)
        let earlier = Samples.bill("RETURN", ["shopBillId": "8", "billAmount": "-30.00"])
        for (bills, isDeclined) in [([Samples.bill("PAYED")], false), ([Samples.bill("PAYED"), earlier], true)] {
            let portmone = ScriptedPortmone(failure, .array(bills))
            let answer = try await portmone.gateway().perform(try payment(refund), refund, fields: [:]).answer
            #expect(answer?.meaning == .declined ? isDeclined : !isDeclined && answer?.meaning.isPending == true)
        }
    }

    @Test("an operation that would move hryvnias for another currency is refused and not sent; a void names no amount")
    func otherCurrency() async throws {
        for command in OperationCommand.allCases {
            let operation = operation(command)
            let payment = try Samples.payment(
                command == .refund ? .captured : .authorized, .authorization, balance: operation.before,
                operations: [operation], bill: "550298815", currency: "EUR")
            let isVoid = command == .voidAuthorization
            let portmone = ScriptedPortmone(Self.answer("REJECTED", "4400.00"))
            let gateway = try portmone.gateway()
            let errors = gateway.validationErrors(in: payment, operation, fields: [:])
            #expect(errors.map(\.field) == (isVoid ? [] : ["command"]))
            let meaning = await gateway.perform(payment, operation, fields: [:]).answer?.meaning
            #expect(isVoid ? meaning == .voided : meaning == nil)
            #expect(portmone.methods == (isVoid ? ["rejectPreauth"] : []))
        }
    }

    @Test("an error of a void in another currency is a decline if result shows the payment's bill still held")
    func errorsInOtherCurrency() async throws {
        let failure: JSON = ["errorCode": "5", "error": "the status does not allow it"]
        let operation = operation(.voidAuthorization)
        for (number, isDeclined) in [("550298815", true), ("550298816", false)] {
            let bill = Samples.bill("PREAUTH", ["payee_id": "1186", "shopBillId": .string(number)])
            let payment = try Samples.payment(
                .authorized, .authorization, operations: [operation], bill: "550298815", currency: "EUR")
            let answer = try await ScriptedPortmone(failure, [bill]).gateway()
                .perform(payment, operation, fields: [:]).answer
            #expect(isDeclined ? answer?.meaning == .declined : answer?.meaning.isPending == true)
        }
    }

    @Test("every wrong field of an operation is named, and a second capture")
    func validation() throws {
        let gateway = try ScriptedPortmone(nil).gateway()
        let capture = operation(.capture)
        #expect(gateway.validationErrors(in: try payment(capture), capture, fields: ["language": "uk"]).isEmpty)
        #expect(
            gateway.validationErrors(
                in: try payment(capture), capture,
                fields: ["order_description": String(repeating: "x", count: 151), "fort_id": "1"]
            ).map(\.field) == ["order_description", "fort_id"])
        let second = Samples.operation(.capture, 1_000, before: Balance(captured: 4_000))
        #expect(gateway.validationErrors(in: try payment(second), second, fields: [:]).map(\.field) == ["command"])
    }
}
