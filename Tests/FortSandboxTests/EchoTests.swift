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
}
