import OutboundHTTP
import PayrelayPrimitives
import Testing

@testable import FortAPI

/// A value that holds a secret or a customer's data never shows it unless asked.
@Suite struct RedactionTests {
    /// Returns the texts of a value, in every way in which Swift turns a value into text.
    private func prints(of value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) \(String(describing: Optional(value)))"
        debugPrint(value, [value], to: &text)
        dump(value, to: &text)
        dump(["wrapped": value], to: &text)
        return text
    }

    @Test func valuesThatHoldASecretPrintNothingOfIt() throws {
        struct Transport: GatewayTransport {
            func send(_: OutboundRequest) -> Outcome<OutboundAnswer> {
                .answered(OutboundAnswer(status: 200, body: []))
            }
        }
        let account = try Samples.account()
        let message = try Samples.message()
        let answer = try FortAnswer(verifying: Samples.signed(Samples.approval), of: account, to: message)
        let values: [Any] = [
            account, message, answer, try Samples.request(), CanonicalText(of: message.parameters),
            try FortRequest(statusOf: "ORDER-1001"),
            FortClient(account: account, endpoint: .fortTest, transport: Transport()),
        ]
        for value in values {
            #expect(!prints(of: value).lowercased().contains("canary"), "\(type(of: value))")
        }
    }

    @Test func validationErrorsRepeatNoValue() {
        let order = Samples.order.mapValues { $0 + "\u{7}CANARY" }.merging(["unheard_of": "CANARY"]) { $1 }
        let errors = FortRequest.errors(in: order)
        #expect(errors.count == 8)
        #expect(!prints(of: ValidationErrors(errors)).contains("CANARY"))
    }
}
