import Foundation
import PayrelayPrimitives
import Testing

@testable import FortAPI

/// The signed messages to FORT.
struct FortMessageTests {
    @Test func signsTheAppleVectorAsAPSsSDKDoes() throws {
        // The signature is the SHA-256 that APS's PHP SDK computes for these parameters.
        let vector = FortRequest(
            command: .purchase,
            parameters: [
                "command": "PURCHASE", "merchant_reference": "Test010", "amount": "10000", "currency": "AED",
                "language": "en", "customer_email": "test@gmail.com", "customer_ip": "192.178.1.10",
                "digital_wallet": "APPLE_PAY", "apple_data": "AAAA/BBB+CCC==", "apple_signature": "MIAG/CSq+A==",
                "apple_header": [
                    "apple_transactionId": "ee0c2d", "apple_ephemeralPublicKey": "MFkw/EwY+A==",
                    "apple_publicKeyHash": "YWEP/i8j+n8=",
                ],
                "apple_paymentMethod": [
                    "apple_displayName": "Visa 0492", "apple_network": "Visa", "apple_type": "debit",
                ],
            ])
        let account = try FortAccount(
            accessCode: "zx0IPmPy5jp1vAz8Kpg7", merchantIdentifier: "CycHZxVj", signatureType: .sha256,
            requestPhrase: Secret("PASS"), responsePhrase: Secret("OTHER"))
        let message = FortMessage(signing: vector, for: account)
        #expect(
            message.parameters["signature"]
                == "83d6529f4211f9d218320edbd696fd3f34b1b57c081b4c5847b32d52ed41c19b")
    }

    @Test(arguments: FortSignatureType.allCases)
    func carriesTheSignatureOfItsOwnBytes(type: FortSignatureType) throws {
        let message = try Samples.message(["customer_name": "محمد", "order_description": "a/b"], type: type)
        let read = try #require(try JSON(parsing: message.body).objectValue)
        #expect(read == message.parameters)
        let signature = FortSignature(of: read, phrase: Secret(Samples.requestPhrase), type: type)
        #expect(read["signature"]?.stringValue == signature.hexadecimal)
    }

    @Test func ascendsByNameAtEveryLevel() throws {
        let parameters = try Samples.message(["merchant_extra": "a", "merchant_extra1": "b"]).parameters
        #expect(parameters.names == parameters.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(
            parameters["apple_header"]?.objectValue?.names
                == ["apple_ephemeralPublicKey", "apple_publicKeyHash", "apple_transactionId"])
        #expect(
            parameters["apple_paymentMethod"]?.objectValue?.names == [
                "apple_displayName", "apple_network", "apple_type",
            ])
    }

    @Test func writesASCIIThatReadsBackWhole() throws {
        let token = try Samples.token(
            method: ["displayName": "Visa •••• 😀 0492", "network": "Visa", "type": "debit"])
        let request = try FortRequest(order: Samples.order.merging(["customer_name": "سارة"]) { $1 }, token: token)
        let message = FortMessage(signing: request, for: try Samples.account())
        #expect(message.body.allSatisfy { $0 < 0x80 })
        let foundation = try JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
        #expect(foundation?["customer_name"] as? String == "سارة")
        let method = foundation?["apple_paymentMethod"] as? [String: String]
        #expect(method?["apple_displayName"] == "Visa •••• 😀 0492")
    }

    @Test func sendsNoEmptyValueAndNoSpaceAround() throws {
        let message = try Samples.message(["customer_name": " Sara  ", "merchant_extra": "", "merchant_extra1": "  "])
        #expect(message.parameters["customer_name"] == "Sara")
        #expect(message.parameters["merchant_extra"] == nil)
        #expect(message.parameters["merchant_extra1"] == nil)
    }

    @Test func refusesAnInvalidAccount() {
        let phrase = Secret("x")
        #expect(throws: ValidationErrors([ValidationError(field: "access_code", detail: "is missing")])) {
            try FortAccount(accessCode: "", merchantIdentifier: "a", requestPhrase: phrase, responsePhrase: phrase)
        }
        #expect(throws: ValidationErrors.self) {
            try FortAccount(accessCode: "a", merchantIdentifier: "a\n", requestPhrase: phrase, responsePhrase: phrase)
        }
        #expect(throws: ValidationErrors([ValidationError(field: "response_phrase", detail: "is missing")])) {
            try FortAccount(accessCode: "a", merchantIdentifier: "a", requestPhrase: phrase, responsePhrase: Secret(""))
        }
    }
}
