import FortAPI
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// Requests that FORT refuses before it looks at the token. They leave no trace in the books.
@Suite struct RefusalTests {
    @Test(
        arguments: [
            (["merchant_identifier": "OTHER"], "00009"), (["merchant_identifier": .null], "00001"),
            (["access_code": "OTHER"], "00010"), (["access_code": .null], "00001"),
            (["command": "CAPTURE"], "00027"), (["command": .null], "00004"), (["command": "CHECK_STATUS"], "00004"),
            (["oops": "x"], "00027"), (["oops": ["deep": "x"]], "00027"), (["fort_id": "1"], "00027"),
            (["amount": "0"], "00005"), (["amount": "-1"], "00005"), (["amount": "100.00"], "00005"),
            (["amount": .number("1e4")], "00005"), (["amount": "12345678901"], "00005"), (["currency": "XXX"], "00013"),
            (["language": "fr"], "00033"), (["digital_wallet": "GOOGLE_PAY"], "00033"),
            (["customer_email": "nobody"], "00002"), (["customer_name": ["first": "Sara"]], "00002"),
            (["merchant_reference": .string(String(repeating: "A", count: 41))], "00032"),
        ] as [(JSONObject, String)])
    func aParameterThatIsNotRightIsRefused(changes: JSONObject, code: String) async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), changes)) == code)
        #expect(await bench.sandbox.orders.isEmpty)
    }

    @Test(arguments: [
        "digital_wallet", "merchant_reference", "amount", "currency", "language", "customer_email", "customer_ip",
        "apple_data", "apple_signature", "apple_header", "apple_paymentMethod",
    ])
    func aMandatoryParameterMustBeThere(name: String) async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), JSONObject([(name, .null)]))) == "00001")
    }

    @Test(arguments: [
        ("apple_header", "apple_transactionId"), ("apple_header", "apple_ephemeralPublicKey"),
        ("apple_header", "apple_publicKeyHash"), ("apple_paymentMethod", "apple_displayName"),
        ("apple_paymentMethod", "apple_network"), ("apple_paymentMethod", "apple_type"),
    ])
    func aMandatoryPartOfAnObjectMustBeThere(object: String, name: String) async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A")
        var part = try #require(payment.parameters[object]?.objectValue)
        part[name] = nil
        #expect(try await bench.code(of: bench.changed(payment, JSONObject([(object, .object(part))]))) == "00001")
    }

    @Test func aMessageThatAnotherPhraseSignedIsRefused() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), [:], phrase: "RES")) == "00008")
        #expect(await bench.sandbox.orders.isEmpty)
    }

    @Test func aMessageThatWasChangedAfterSigningIsRefused() async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A")
        let apart: Set = ["signature", "access_code", "merchant_identifier"]
        for name in payment.parameters.names where !apart.contains(name) {
            var parameters = payment.parameters
            parameters[name] = nil
            #expect(try await bench.code(of: JSON.object(parameters).encoded()) == "00008", "without \(name)")
        }
    }

    /// Without the credentials FORT could not know whose phrase verifies the signature.
    @Test func theCredentialsAreCheckedBeforeTheSignature() async throws {
        let bench = try SandboxBench()
        let other = bench.changed(try bench.payment("A"), ["access_code": "OTHER"], phrase: "OTHER")
        #expect(try await bench.code(of: other) == "00010")
        let both = bench.changed(try bench.payment("A"), ["access_code": "OTHER", "merchant_identifier": "OTHER"])
        #expect(try await bench.code(of: both) == "00009")
    }

    @Test func anAccountOfAnotherSignatureTypeIsRefused() async throws {
        let (bench, other) = (try SandboxBench(.sha256), try SandboxBench(.hmacSHA256))
        #expect(try await bench.code(of: other.payment("A").body) == "00008")
    }

    @Test func anUnsignedMessageIsRefused() async throws {
        let bench = try SandboxBench()
        var parameters = try bench.payment("A").parameters
        parameters["signature"] = nil
        #expect(try await bench.code(of: JSON.object(parameters).encoded()) == "00001")
    }

    @Test(arguments: ["", "{", "[]", "\"text\"", #"{"command":"PURCHASE","command":"PURCHASE"}"#])
    func aBodyThatIsNotAnObjectIsRefused(text: String) async throws {
        #expect(try await SandboxBench().code(of: Array(text.utf8)) == "00073")
    }

    @Test func aRefusalNamesTheRequestItAnswers() async throws {
        let bench = try SandboxBench()
        let body = try bench.changed(bench.payment("A"), [:], phrase: "OTHER")
        #expect(try await bench.answer(to: body).parameters["merchant_reference"] == "A")
    }

    @Test(
        arguments: [
            (["merchant_reference": .null], "00001"), (["language": .null], "00001"), (["language": "fr"], "00033"),
            (["amount": "10000"], "00027"), (["query_command": "CHECK"], "00004"), (["fort_id": "1"], "12036"),
            (["fort_id": "149295435400084008"], "12000"), (["return_third_party_response_codes": "YES"], "12000"),
        ] as [(JSONObject, String)])
    func aQueryTakesItsOwnParameters(changes: JSONObject, code: String) async throws {
        let bench = try SandboxBench()
        _ = try await bench.send(bench.payment("A"))
        #expect(try await bench.code(of: bench.changed(bench.query("A"), changes)) == code)
    }
}
