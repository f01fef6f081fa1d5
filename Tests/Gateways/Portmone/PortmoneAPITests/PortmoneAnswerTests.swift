import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PortmoneAPI

@Suite struct PortmoneAnswerTests {
    private func read(_ text: String) throws(PortmoneAnswerError) -> PortmoneAnswer {
        try PortmoneAnswer(reading: Array(text.utf8))
    }

    private func entries(_ text: String) throws -> [PortmoneEntry]? {
        if case .entries(let entries) = try read(text).content { entries } else { nil }
    }

    @Test(
        "a bill is read in every shape that a method has",
        arguments: [
            #"{"result":{"status":"PAYED","shopBillId":"550298815"},"id":"1"}"#,
            #"{"result":{"status":"PAYED","shopBillId":550298815},"id":1}"#,
            #"{"result":[{"status":"PAYED","shopBillId":"550298815"}],"id":null}"#,
            #"{"result":[{"status":"PAYED","shop_bill_id":"550298815"}],"errorCode":"0"}"#,
            #"[{"status":"PAYED","shopbillId":"550298815"}]"#,
            #"[{"status":"PAYED","shop_bill_id":550298815,"error_code":0}]"#,
            #"{"status":"PAYED","shop_bill_id":"550298815","shopBillId":"550298815","error_code":"0"}"#,
            #"{"STATUS":"PAYED","SHOPBILLID":"550298815"}"#,
            #"{"status":"PAYED","shopBillId":"550298815","shopbillId":null,"shop_bill_id":""}"#,
        ])
    func everyShape(text: String) throws {
        let entry = try #require(try entries(text)?.first)
        #expect(entry.status == .payed)
        #expect(entry.shopBillID == "550298815")
        #expect(entry.failure == nil)
    }

    @Test("an empty list says that there is no such bill", arguments: ["[]", #"{"result":[],"id":"1"}"#])
    func notFound(text: String) throws {
        #expect(try read(text).content == .entries([]))
    }

    @Test(
        "an answer in which nothing counts is none",
        arguments: ["", "{}", #"{"result":{},"id":"1"}"#, #"{"result":null}"#, #"{"result":""}"#, #"{"lang":"uk"}"#])
    func nothing(text: String) throws {
        #expect(try read(text).content == .nothing)
    }

    @Test(
        "an error is not a bill",
        arguments: [
            (#"{"errorCode":"15","error":"no access"}"#, "15"), (#"{"error_code":15}"#, "15"),
            (#"{"result":{"errorCode":"15","error":"no access"},"id":"1"}"#, "15"),
            (#"{"result":{},"errorCode":"15","id":"1"}"#, "15"), (#"[{"errorCode":"6","errorMessage":"x"}]"#, "6"),
            (#"{"error":"something went wrong"}"#, ""), (#"{"result":null,"error_code":"1","error":"x"}"#, "1"),
        ])
    func failures(text: String, code: String) throws {
        guard case .failure(let failure, _) = try read(text).content else {
            Issue.record("no failure")
            return
        }
        #expect(failure.code == code)
    }

    @Test(
        "an unknown status is none, and so is another spelling of a known one",
        arguments: ["PAID", "payed", "PAYED ", "Payed", "PAYED\u{301}", "SUCCESS", "14", "R\u{45}TURNED"])
    func unknownStatus(status: String) throws {
        let body = JSON.array([["status": .string(status), "shopBillId": "1"]]).encoded()
        guard case .entries(let entries) = try PortmoneAnswer(reading: body).content else {
            Issue.record("no entry")
            return
        }
        #expect(entries.first?.status == nil)
    }

    @Test(
        "an answer with two meanings is refused",
        arguments: [
            (#"[{"status":"PAYED","Status":"REJECTED"}]"#, "Status"),
            (#"[{"shopBillId":"1","shop_bill_id":"2","status":"PAYED"}]"#, "shop_bill_id"),
            (#"[{"shopBillId":"1","shopbillId":2,"status":"PAYED"}]"#, "shopbillId"),
            (#"[{"billAmount":"1.01","bill_amount":"1.010","status":"PAYED"}]"#, "bill_amount"),
            (#"[{"errorCode":"0","error_code":"5","status":"PAYED"}]"#, "error_code"),
            (#"{"result":{"status":"PAYED"},"status":"REJECTED"}"#, "status"),
            (#"{"result":{"status":"PAYED"},"payee_id":"1185"}"#, "payee_id"),
            (#"{"result":{"status":"PAYED"},"Result":{"status":"REJECTED"}}"#, "result"),
            (#"{"result":{"status":"PAYED"},"errorCode":"15"}"#, "errorCode"),
        ])
    func ambiguity(text: String, name: String) {
        #expect(throws: PortmoneAnswerError.ambiguous(name: name)) { try read(text) }
    }

    @Test(
        "a name that occurs twice is refused",
        arguments: [
            #"[{"status":"PAYED","status":"PAYED"}]"#, #"{"result":{},"result":{"status":"PAYED"}}"#,
            #"[{"st\u0061tus":"PAYED","status":"REJECTED"}]"#,
        ])
    func duplicateNames(text: String) {
        #expect(throws: PortmoneAnswerError.self) { try read(text) }
    }

    @Test(
        "the answer to another request is refused",
        arguments: [
            #"{"result":{"status":"PAYED"},"id":"2"}"#, #"{"result":{"status":"PAYED"},"id":10}"#,
            #"{"result":{"status":"PAYED"},"id":["1"]}"#, #"{"result":{"status":"PAYED"},"id":""}"#,
        ])
    func anotherRequest(text: String) {
        #expect(throws: PortmoneAnswerError.foreign(name: "id")) { try read(text) }
    }

    @Test(
        "a value that counts is a text or a number",
        arguments: [
            #"[{"status":["PAYED"]}]"#, #"[{"status":{"a":"PAYED"}}]"#, #"[{"status":true}]"#,
            #"[{"billAmount":{"value":"1.01"},"status":"PAYED"}]"#, #"{"error":{"code":1}}"#,
        ])
    func otherKinds(text: String) {
        #expect(throws: PortmoneAnswerError.self) { try read(text) }
    }

    @Test(
        "an answer that is neither an object nor an array of objects is refused",
        arguments: [
            "1", "true", "null", #""PAYED""#, "[1]", #"[["a"]]"#, "[null]", "<html>", "{", #"{"result":1}"#,
            #"{"result":"x"}"#, " ",
        ])
    func noObject(text: String) {
        #expect(throws: PortmoneAnswerError.self) { try read(text) }
    }

    @Test("S6: an answer is bounded in bytes, entries, depth and the length of relevant members")
    func bounds() throws {
        let long = String(repeating: "x", count: PortmoneAnswer.sizeLimit)
        #expect(throws: PortmoneAnswerError.tooLarge) { try read(#"{"lang":"\#(long)"}"#) }
        let many = Array(repeating: #"{"status":"PAYED"}"#, count: PortmoneAnswer.entryLimit + 1)
        #expect(throws: PortmoneAnswerError.tooLarge) { try read("[\(many.joined(separator: ","))]") }
        #expect(throws: PortmoneAnswerError.self) { try read(String(repeating: "[", count: 100_000)) }
        #expect(throws: PortmoneAnswerError.self) {
            try read(
                #"[{"status":"PAYED","a":\#(String(repeating: "[", count: 7))\#(String(repeating: "]", count: 7))}]"#)
        }
        #expect(throws: PortmoneAnswerError.malformed(name: "status")) {
            try read(#"[{"status":"\#(String(repeating: "x", count: PortmoneEntry.textLimit + 1))"}]"#)
        }
    }

    @Test("S6: no bytes trap, whatever they are")
    func randomBytes() throws {
        var random = SeededGenerator(seed: 1)
        let good = Array(#"{"result":[{"status":"PAYED","shopBillId":"550298815","billAmount":1.01}],"id":"1"}"#.utf8)
        for _ in 0..<3_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
                }
            }
            _ = try? PortmoneAnswer(reading: bytes)
        }
    }
}
