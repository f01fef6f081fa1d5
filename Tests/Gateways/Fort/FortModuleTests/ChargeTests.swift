import FortAPI
import Foundation
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import FortModule

@Suite struct ChargeTests {
    /// At least one code of every class.
    @Test(
        arguments: [
            ("14000", FortCode.Class.success, GatewayAnswer.Meaning.captured),
            ("13666", .declined, .declined), ("13012", .declined, .declined), ("13785", .declined, .declined),
            ("13007", .duplicate, .duplicate), ("13066", .duplicate, .duplicate), ("00047", .duplicate, .duplicate),
            ("13006", .uncertain, nil), ("15777", .uncertain, nil), ("20000", .uncertain, nil),
            ("20064", .uncertain, nil),
            ("19000", .uncertain, nil), ("40090", .uncertain, nil), ("13999", .uncertain, nil),
            ("99999", .uncertain, nil),
            ("00036", .notFound, nil),
            ("00008", .signature, .declined), ("00009", .configuration, .declined),
            ("00010", .configuration, .declined),
            ("00040", .configuration, .declined), ("00001", .request, .declined), ("00005", .request, .declined),
            ("13102", .token, .declined), ("23089", .token, .declined), ("13034", .notAllowed, .declined),
            // Success codes of other commands prove nothing about a purchase.
            ("02000", .success, nil), ("12000", .success, nil), ("04000", .success, nil),
        ] as [(String, FortCode.Class, GatewayAnswer.Meaning?)])
    func anAnswerToAPurchaseMeans(code: String, class: FortCode.Class, meaning: GatewayAnswer.Meaning?) async throws {
        #expect(FortCode(code)?.class == `class`)
        let answer = try #require(try await ScriptedFort(answering: ["response_code": .string(code)]).charge().answer)
        if let meaning {
            #expect(answer.meaning == meaning)
        } else {
            #expect(answer.meaning == .pending(reason: "FORT answered \(code), which settles nothing"))
        }
    }

    @Test(
        arguments: [
            ("02000", GatewayAnswer.Meaning.authorized), ("03666", .declined), ("03007", .duplicate), ("14000", nil),
        ] as [(String, GatewayAnswer.Meaning?)])
    func anAnswerToAnAuthorizationMeans(code: String, meaning: GatewayAnswer.Meaning?) async throws {
        let fort = try ScriptedFort(answering: ["response_code": .string(code)])
        let answer = try #require(try await fort.charge(["command": "AUTHORIZATION"]).answer)
        #expect(meaning.map { answer.meaning == $0 } ?? answer.meaning.isPending)
    }

    /// APS's own sample has code 14000 beside status 20, "on hold".
    @Test(arguments: ["20", "13", "02", "2"])
    func aStatusThatContradictsTheCodeSettlesNothing(status: String) async throws {
        let fort = try ScriptedFort(answering: ["response_code": "14000", "status": .string(status)])
        #expect(try await fort.charge().answer?.meaning.isPending == true)
    }

    @Test func theSummaryHasTheMainFieldsAndTheResponseAll() async throws {
        let told: JSONObject = [
            "response_code": "14000", "status": "14", "response_message": "Success.", "fort_id": "149295435400084008",
            "payment_option": "VISA", "authorization_code": "S1", "card_number": "411111******1111",
            "eci": "ECOMMERCE", "expiry_date": "5012", "a_field_nobody_modelled": ["deep": "x"],
        ]
        let answer = try #require(try await ScriptedFort(answering: told).charge().answer)
        #expect(
            answer.summary == [
                "fort_id": "149295435400084008", "payment_option": "VISA", "card_number": "411111******1111",
                "authorization_code": "S1", "response_code": "14000", "response_class": "success",
                "response_message": "Success.", "status": "14", "eci": "ECOMMERCE", "expiry_date": "5012",
            ])
        for member in told.members { #expect(answer.response[member.name] == member.value) }
    }

    @Test func aRequestThatDidNotLeaveIsNotSent() async throws {
        let fort = try ScriptedFort { _ in .notSent(reason: "connection refused") }
        #expect(try await fort.charge() == .notSent(reason: "FORT could not be reached: connection refused"))
        #expect(fort.requests.count == 1)
    }

    @Test func aChargeWithoutAnAnswerIsUncertainAndNotRetried() async throws {
        let fort = try ScriptedFort { _ in .unknown(reason: "timed out") }
        #expect(try await fort.charge() == .unknown(reason: "FORT did not answer: timed out"))
        #expect(fort.requests.count == 1)
    }

    @Test(arguments: [200, 500, 302])
    func anUnverifiedAnswerIsUncertainAndNotRetried(status: Int) async throws {
        let fort = try ScriptedFort(status: status) { _ in .answered(Array("<html>".utf8)) }
        #expect(try await fort.charge().unknownReason?.contains("cannot be verified") == true)
        #expect(fort.requests.count == 1)
    }

    @Test func anHTTPErrorIsUncertainEvenIfTheBodyIsSigned() async throws {
        let fort = try ScriptedFort(status: 500) { .answered($0.answered(["response_code": "14000"])) }
        #expect(try await fort.charge().unknownReason != nil)
    }

    @Test(arguments: ["13666", "14000", "00008"])
    func anAnswerSignedWithAnotherPhraseIsUncertain(code: String) async throws {
        let fort = try ScriptedFort { .answered($0.answered(["response_code": .string(code)], phrase: "REQ")) }
        #expect(try await fort.charge().unknownReason != nil)
        #expect(fort.requests.count == 1)
    }

    /// FORT refuses a signature of another SHA type, and signs the refusal with its own type. The answer proves nothing, and
    /// the operator sees its code.
    @Test func anAnswerOfAnotherSHATypeIsUncertainAndReportsItsCode() async throws {
        let fort = try ScriptedFort { .answered($0.answered(["response_code": "00008"], type: .sha256)) }
        let reason = try #require(try await fort.charge().unknownReason)
        #expect(reason.hasSuffix("SHA type; unverified, it says 00008"))
    }

    @Test(
        arguments: [
            ["merchant_reference": "B"], ["merchant_reference": .null], ["amount": "1"], ["currency": "SAR"],
            ["command": "AUTHORIZATION"], ["merchant_identifier": "OTHER"],
        ] as [JSONObject])
    func theAnswerToAnotherOrderIsUncertain(changes: JSONObject) async throws {
        let fort = try ScriptedFort { sent in
            var answer = changes
            answer["response_code"] = "14000"
            return .answered(sent.answered(answer))
        }
        #expect(try await fort.charge().unknownReason?.contains(changes.names[0]) == true)
    }

    @Test(arguments: ["14000", "13666", "13007", "13006", "15777", "00008"])
    func aChargeIsSentOnceWhateverTheAnswer(code: String) async throws {
        let fort = try ScriptedFort(answering: ["response_code": .string(code)])
        _ = try await fort.charge()
        #expect(fort.requests.count == 1)
        #expect(fort.requests.first?["command"] == "PURCHASE")
    }
}
