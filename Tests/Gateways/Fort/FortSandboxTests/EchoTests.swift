import FortAPI
import PayrelayPrimitives
import Testing

@testable import FortSandbox

@Suite struct EchoTests {
    @Test("A refused request's answer repeats no card, no signature and nothing of Apple's")
    func repeatsNoSecrets() {
        let sent: JSONObject = [
            "merchant_reference": "A", "card_number": "4111111111111111", "card_security_code": "123",
            "signature": "ab",
            "apple_data": "x",
        ]
        let answer = FailureResponse(status: "00", message: "001").response(to: sent)
        #expect(answer["merchant_reference"] == "A" && answer["response_code"] == "00001")
        for name in ["card_number", "card_security_code", "signature", "apple_data"] { #expect(answer[name] == nil) }
    }

    /// Without these parameters an answer could be about another request, and would prove nothing.
    @Test("Every answer names the order and amount of its request: declined, refused, a duplicate or a success")
    func everyAnswerSaysWhatItIsAbout() async throws {
        let bench = try SandboxBench()
        let names = ["command", "amount", "currency", "merchant_reference", "merchant_identifier", "access_code"]
        func send(_ message: FortMessage, _ code: String) async throws {
            let answer = try await bench.send(message)
            #expect(answer["response_code"] == code)
            for name in names where message.parameters[name] != nil {
                #expect(answer.parameters[name] == message.parameters[name], "\(code) \(name)")
            }
        }
        for (number, (amount, code)) in [
            (10_000, "14000"), (10_012, "13012"), (10_029, "13029"), (10_666, "13666"), (10_785, "13785"),
            (10_006, "13006"), (10_020, "20000"), (15_777, "15777"),
        ].enumerated() {
            try await send(bench.payment("ORDER-\(number)", amount: amount), code)
            try await send(bench.payment("ORDER-\(number)", amount: amount), "13007")
        }
        let used = try SandboxBench.token()
        try await send(bench.payment("USED-1", token: used), "14000")
        try await send(bench.payment("USED-2", token: used), "00102")
        try await send(bench.payment("OTHER", token: SandboxBench.token(1)), "00005")
        try await send(bench.payment("HELD", .authorization, amount: 50_000), "02000")
        for (amount, code) in [("99999", "05042"), ("4000", "04000"), ("10666", "05666")] {
            let capture = try FortRequest(.capture, merchantReference: "HELD", amount: amount, currency: "AED")
            try await send(FortMessage(signing: capture, for: bench.account), code)
        }
        let foreign = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("ANOTHER"),
            responsePhrase: Secret("RES"))
        let forged = try FortRequest(.capture, merchantReference: "HELD", amount: "1", currency: "AED")
        try await send(FortMessage(signing: forged, for: foreign), "00008")
    }

    @Test("Every answer to CHECK_STATUS says which order it is about, and an order's has its totals")
    func everyAnswerToAQuerySaysWhatItIsAbout() async throws {
        let bench = try SandboxBench()
        let asked = ["query_command", "merchant_reference", "merchant_identifier", "access_code"]
        let told = ["fort_id", "authorized_amount", "captured_amount", "refunded_amount", "transaction_status"]
        _ = try await bench.send(bench.payment("CHARGED"))
        _ = try await bench.send(bench.payment("DECLINED", amount: 10_666))
        _ = try await bench.send(bench.payment("HELD", .authorization))
        for reference in ["CHARGED", "DECLINED", "HELD", "NONE"] {
            let query = try bench.query(reference)
            let answer = try await bench.send(query)
            for name in asked { #expect(answer.parameters[name] == query.parameters[name], "\(reference) \(name)") }
            for name in told { #expect((answer[name] != nil) == (reference != "NONE"), "\(reference) \(name)") }
        }
    }
}
