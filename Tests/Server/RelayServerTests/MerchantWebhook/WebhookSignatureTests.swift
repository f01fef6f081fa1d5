import Testing

@testable import RelayServer

@Suite struct WebhookSignatureTests {
    /// The example that Standard Webhooks' own libraries use in their tests.
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    @Test func isTheOneThatStandardWebhooksComputes() throws {
        let signature = WebhookSignature(
            identifier: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
            body: Array(#"{"test": 2432232314}"#.utf8),
            secrets: [try WebhookSecret(Self.secret)])
        #expect(signature.description == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func hasOneSignatureForEachSecretDuringRotation() throws {
        let secrets = [
            try WebhookSecret(Self.secret), try WebhookSecret("whsec_\(String(repeating: "QUJD", count: 8))"),
        ]
        func signature(_ secrets: [WebhookSecret]) -> String {
            WebhookSignature(identifier: "evt_1", timestamp: 1, body: [0, 255], secrets: secrets).description
        }
        #expect(signature(secrets) == signature([secrets[0]]) + " " + signature([secrets[1]]))
        #expect(signature([secrets[0]]) != signature([secrets[1]]))
    }

    @Test(arguments: [
        "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_no base64!", "whsec_QUJD",
        "whsec_" + String(repeating: "QUJD", count: 22), "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ])
    func aSecretThatIsNotWrittenAsTheStandardSaysIsRefused(text: String) {
        #expect(throws: WebhookSecretError()) { try WebhookSecret(text) }
    }

    @Test func aSecretPrintsRedacted() throws {
        let secret = try WebhookSecret(Self.secret)
        var dumped = ""
        dump(secret, to: &dumped)
        #expect("\(secret) \(String(reflecting: secret))" == "*** ***")
        #expect(!dumped.contains("\(secret.key[0])"))
    }
}
