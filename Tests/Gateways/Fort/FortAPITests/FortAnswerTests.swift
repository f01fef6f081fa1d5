import PayrelayPrimitives
import Testing

@testable import FortAPI

/// FORT's answers and their meaning.
struct FortAnswerTests {
    private func answer(
        _ body: [UInt8], to message: FortMessage? = nil, type: FortSignatureType = .standard
    ) throws -> FortAnswer {
        try FortAnswer(verifying: body, of: try Samples.account(type), to: try message ?? Samples.message(type: type))
    }

    private func changed(_ changes: [String: JSON?]) -> JSONObject {
        changes.reduce(into: Samples.approval) { $0[$1.key] = $1.value }
    }

    private func state(_ changes: [String: JSON?]) throws -> TransactionState? {
        let answer = changes.reduce(into: Self.found) { $0[$1.key] = $1.value }
        return try answerToCheckStatus(answer).transactionState
    }

    private func answerToCheckStatus(_ answer: JSONObject) throws -> FortAnswer {
        let request = try FortRequest(statusOf: "ORDER-1001")
        let message = FortMessage(signing: request, for: try Samples.account())
        return try self.answer(Samples.signed(answer), to: message)
    }

    @Test(arguments: FortSignatureType.allCases)
    func believesASignedAnswer(type: FortSignatureType) throws {
        let answer = try answer(Samples.signed(Samples.approval, type: type), type: type)
        #expect(answer.class == .success)
        #expect(answer.responseCode == FortCommand.purchase.successCode)
        #expect(answer.fortID == "149295435400084008")
        #expect(answer["amount"] == "10000")
        #expect(answer.parameters["a_field_nobody_modelled"] == ["deep": ["x", true]])
    }

    @Test func acceptsUpperCaseHex() throws {
        var signed = Samples.approval
        let signature = FortSignature(of: signed, phrase: Secret(Samples.responsePhrase), type: .standard)
        signed["signature"] = .string(signature.hexadecimal.uppercased())
        #expect(try answer(JSON.object(signed).encoded()).class == .success)
    }

    @Test func refusesAnUnsignedAnswer() throws {
        #expect(throws: FortAnswerError.unsigned) { try answer(JSON.object(Samples.approval).encoded()) }
        for value in [.null, .number("1"), ["a"]] as [JSON] {
            #expect(throws: FortAnswerError.unsigned) {
                try answer(JSON.object(changed(["signature": value])).encoded())
            }
        }
    }

    @Test("S6: refuses an answer signed with another phrase", arguments: ["SOMEBODY-ELSE", Samples.requestPhrase, ""])
    func refusesAnAnswerSignedWithAnotherPhrase(phrase: String) throws {
        #expect(throws: FortAnswerError.wrongSignature(saying: FortCode("14000"))) {
            try answer(Samples.signed(Samples.approval, phrase: phrase))
        }
    }

    @Test func refusesASignatureOfAnotherType() throws {
        for type in FortSignatureType.allCases where type != .standard {
            #expect(throws: FortAnswerError.wrongSignature(saying: FortCode("14000"))) {
                try answer(Samples.signed(Samples.approval, type: type))
            }
        }
    }

    /// The most important property: no single changed byte is accepted.
    @Test("S6: refuses every changed byte of an answer")
    func refusesEveryChangedByte() throws {
        let body = Samples.signed(Samples.approval)
        let (account, message) = (try Samples.account(), try Samples.message())
        let original = try answer(body)
        for place in body.indices {
            for mask: UInt8 in [0x01, 0x20, 0x80] {
                var forged = body
                forged[place] ^= mask
                let believed = try? FortAnswer(verifying: forged, of: account, to: message)
                // A signature in upper case is the same signature.
                #expect(
                    believed == nil || believed?.parameters.withoutSignature == original.parameters.withoutSignature)
            }
        }
    }

    @Test func refusesEveryTruncation() throws {
        let body = Samples.signed(Samples.approval)
        for length in body.indices {
            #expect(throws: FortAnswerError.self) { try answer(Array(body.prefix(length))) }
        }
    }

    @Test(
        "S6: refuses the answer to another request",
        arguments: [
            ("merchant_reference", "ORDER-1002"), ("amount", "10001"), ("amount", "10000.0"), ("currency", "SAR"),
            ("command", "AUTHORIZATION"), ("access_code", "another"), ("merchant_identifier", "another"),
        ])
    func refusesTheAnswerToAnotherRequest(name: String, value: String) throws {
        #expect(throws: FortAnswerError.foreign(parameter: name)) {
            try answer(Samples.signed(changed([name: .string(value)])))
        }
    }

    @Test("S6: an echo that is only canonically equivalent to the sent value is another value")
    func refusesAnEquivalentEcho() throws {
        let request = try FortRequest(statusOf: "K-1001")
        let message = FortMessage(signing: request, for: try Samples.account())
        for (reference, isExact) in [("K-1001", true), ("\u{212A}-1001", false)] {
            var body = Self.found
            body["merchant_reference"] = .string(reference)
            let believed = try? answer(Samples.signed(body), to: message)
            #expect((believed != nil) == isExact)
        }
    }

    @Test(
        "S6: an answer that does not name its order proves nothing",
        arguments: ["merchant_reference", "amount", "currency", "command", "merchant_identifier"])
    func refusesAnIncompleteAnswer(name: String) throws {
        #expect(throws: FortAnswerError.incomplete(parameter: name)) {
            try answer(Samples.signed(changed([name: nil])))
        }
    }

    /// For example, `authorization_code=123` behind `amount=10000` has the same signed text as `0authorization_code=123` behind
    /// `amount=1000`.
    @Test(
        "S6: an answer whose signed text is split at other places proves nothing",
        arguments: [
            "0captured_amount", "sstatus", "01payment_option", "Ecurrency", "2_status", "a b_status", "Ab_status",
            "\u{301}_status", "_status", "0response_code",
        ])
    func refusesNamesBehindAnotherValue(name: String) throws {
        #expect(throws: FortAnswerError.splitElsewhere(parameter: name)) {
            try answer(Samples.signed(changed([name: "1"])))
        }
    }

    @Test(
        "S6: a parameter that APS adds takes no proof from an answer",
        arguments: ["token_status", "converted_amount", "new_thing", "3ds_version", "scheme", "x", "Other", ""])
    func believesAnAnswerWithAddedParameters(name: String) throws {
        #expect(try answer(Samples.signed(changed([name: "1"]))).class == .success)
    }

    @Test func doesWithoutTheOtherEchoes() throws {
        #expect(try answer(Samples.signed(changed(["access_code": nil]))).class == .success)
    }

    @Test(
        "S6: refuses an answer that is not JSON",
        arguments: ["", "<html>upstream is having a day</html>", "{\"a\":1,\"a\":2}", "[]x"])
    func refusesWhatIsNotJSON(text: String) throws {
        let error = #expect(throws: FortAnswerError.self) { try answer(Array(text.utf8)) }
        guard case .notJSON = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func refusesWhatIsNotAnObject() {
        #expect(throws: FortAnswerError.notAnObject) { try answer(Array("[]".utf8)) }
    }

    @Test func refusesAnAnswerWithoutACode() throws {
        for code in [nil, "", "Success", ["14000"]] as [JSON?] {
            #expect(throws: FortAnswerError.noResponseCode) {
                try answer(Samples.signed(changed(["response_code": code])))
            }
        }
    }

    @Test func succeedsWithTheCodeOfTheCommandAlone() throws {
        func meaning(_ code: String, _ status: String?) throws -> FortCode.Class {
            let parameters = changed(["response_code": .string(code), "status": status.map(JSON.string)])
            return try answer(Samples.signed(parameters)).class
        }
        #expect(try meaning("14000", nil) == .success)
        #expect(try meaning("02000", "02") == .uncertain)
        #expect(try meaning("12000", "12") == .uncertain)
        #expect(try meaning("14000", "20") == .uncertain)
        #expect(try meaning("20000", "20") == .uncertain)
        #expect(try meaning("13666", "14") == .uncertain)
        #expect(try meaning("13666", "13") == .declined)
        #expect(try meaning("00008", "00") == .signature)
    }

    /// CHECK_STATUS's parameters for a captured payment.
    private static let found: JSONObject = [
        "query_command": "CHECK_STATUS", "merchant_reference": "ORDER-1001", "response_code": "12000",
        "status": "12", "transaction_status": "14", "transaction_code": "14000", "captured_amount": "10000",
        "merchant_identifier": "CycHZxVj",
    ]

    @Test func readsBothLayersOfCheckStatus() throws {
        #expect(try state([:]) == .captured)
        #expect(try state(["transaction_status": "13", "transaction_code": "13666"]) == .failed)
        #expect(try state(["transaction_status": "13", "transaction_code": nil]) == .unsettled)
        #expect(try state(["transaction_status": "14", "transaction_code": nil]) == .captured)
        #expect(try state(["transaction_status": "13", "transaction_code": "13777"]) == .unsettled)
        #expect(try state(["transaction_status": "13", "transaction_code": "13007"]) == .unsettled)
        #expect(try state(["transaction_status": "01", "transaction_code": "01000"]) == .unsettled)
        #expect(try state(["transaction_status": "14", "transaction_code": "13666"]) == .unsettled)
        #expect(try state(["transaction_status": "20", "transaction_code": "20000"]) == .unsettled)
        #expect(try state(["transaction_status": nil]) == nil)
        #expect(try state(["response_code": "12036"]) == nil)
        #expect(try answerToCheckStatus(Self.found).class == .success)
    }

    @Test func knowsThatFORTHasNoSuchOrder() throws {
        let none: JSONObject = [
            "query_command": "CHECK_STATUS", "merchant_reference": "ORDER-1001", "response_code": .number("12036"),
            "status": .number("12"), "merchant_identifier": "CycHZxVj",
        ]
        #expect(try answerToCheckStatus(none).class == .notFound)
    }

    @Test func readsNoPaymentStateFromThePaymentsOwnAnswer() throws {
        let parameters = changed(["transaction_status": "14", "transaction_code": "14000"])
        #expect(try answer(Samples.signed(parameters)).transactionState == nil)
    }
}

extension JSONObject {
    fileprivate var withoutSignature: JSONObject {
        var object = self
        object["signature"] = nil
        return object
    }
}
