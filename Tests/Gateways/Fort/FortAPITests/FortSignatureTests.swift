import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import FortAPI

/// FORT's recipe for a signature: the hash of `phrase name=value… phrase`.
struct FortSignatureTests {
    /// The example of APS's page about signatures.
    static let purchase: JSONObject = [
        "merchant_reference": "Test010", "command": "PURCHASE", "access_code": "SILgpo7pWbmzuURp2qri",
        "amount": "1000", "currency": "USD", "customer_email": "test@gmail.com", "language": "en",
        "merchant_identifier": "MxvOupuG",
    ]

    @Test func computesTheSignatureOfTheDocumentation() {
        let signature = FortSignature(of: Self.purchase, phrase: Secret("PASS"), type: .sha256)
        #expect(signature.hexadecimal == "94c38afc7bdae0114fc8c740edf12416f22998241ce4b4ea70d5521233a2c882")
    }

    @Test func keepsTheOrderInsideOfNestedObjects() {
        // This message is from the unit tests of APS's .NET SDK.
        let message: JSONObject = [
            "payment_type": [
                "payment_method": "TestPaymentMethod", "payment_cardtype": "TestCardType",
                "payment_security_code": "123",
            ],
            "access_code": "TestAccessCode", "merchant_identifier": "TestMerchantIdentifier",
            "language": "testlanguage",
        ]
        let signature = FortSignature(of: message, phrase: Secret("PASS"), type: .sha256)
        #expect(signature.hexadecimal == "53c5aa02e0cdf14d59cc2eef557b23bffa33621f5f6faf14d3c215f8d4db1954")
    }

    @Test(arguments: FortSignatureType.allCases)
    func agreesWithTheOpenSSLCommand(type: FortSignatureType) throws {
        // The openssl command hashes the text that the recipe prescribes, independently of this module.
        let text = "PASSaccess_code=Alanguage=enPASS"
        let digest = type.rawValue.hasSuffix("sha512") ? "-sha512" : "-sha256"
        let output = try FinishedProgram(
            ["openssl", "dgst", digest] + (type.rawValue.hasPrefix("hmac") ? ["-hmac", "PASS"] : []),
            input: Data(text.utf8)
        ).text
        let signature = FortSignature(of: ["language": "en", "access_code": "A"], phrase: Secret("PASS"), type: type)
        #expect(output.hasSuffix("= \(signature.hexadecimal)\n"))
    }

    @Test(arguments: FortSignatureType.allCases)
    func ignoresTheOrderAtTheTop(type: FortSignatureType) {
        let first = FortSignature(of: Self.purchase, phrase: Secret("PASS"), type: type)
        for _ in 0..<50 {
            let shuffled = JSONObject(Self.purchase.members.shuffled().map { ($0.name, $0.value) })
            #expect(FortSignature(of: shuffled, phrase: Secret("PASS"), type: type) == first)
        }
    }

    @Test(arguments: FortSignatureType.allCases)
    func changesWithEveryByteOfEveryValue(type: FortSignatureType) {
        let first = FortSignature(of: Self.purchase, phrase: Secret("PASS"), type: type)
        for member in Self.purchase.members {
            let bytes = Array((member.value.stringValue ?? "").utf8)
            for place in bytes.indices {
                var changed = bytes
                changed[place] ^= 1
                var message = Self.purchase
                message[member.name] = .string(String(decoding: changed, as: UTF8.self))
                #expect(!first.matches(FortSignature(of: message, phrase: Secret("PASS"), type: type).hexadecimal))
            }
        }
        #expect(!first.matches(FortSignature(of: Self.purchase, phrase: Secret("PASs"), type: type).hexadecimal))
    }

    @Test func leavesOutTheSignatureAtTheTopOnly() {
        var signed = Self.purchase
        signed["signature"] = "00"
        #expect(CanonicalText(of: signed) == CanonicalText(of: Self.purchase))
        #expect(CanonicalText(of: ["a": ["signature": "00"]]).exposed(within: Secret("P")) == "Pa={signature=00}P")
    }

    @Test func writesValuesAsTheyStand() {
        let message: JSONObject = [
            "amount": .number("10000.0"), "big": .number("149295435400084008"), "empty": "",
            "list": ["a", ["b": true]],
            "none": .null, "slash": "a/b\"c",
        ]
        #expect(
            CanonicalText(of: message).exposed(within: Secret("P"))
                == "Pamount=10000.0big=149295435400084008empty=list=[a, {b=true}]none=slash=a/b\"cP")
    }

    @Test func matchesHexOfEitherCaseAndNothingShorter() {
        let signature = FortSignature(of: Self.purchase, phrase: Secret("PASS"), type: .hmacSHA256)
        #expect(signature.matches(signature.hexadecimal))
        #expect(signature.matches(signature.hexadecimal.uppercased()))
        #expect(!signature.matches(String(signature.hexadecimal.dropLast())))
        #expect(!signature.matches(signature.hexadecimal + "0"))
        #expect(!signature.matches(""))
    }

    @Test func masksEveryValueThatIsNotListedAsHarmless() {
        let message: JSONObject = [
            "amount": "100", "apple_paymentMethod": ["apple_displayName": "Visa 0492", "apple_network": "Visa"],
            "customer_email": "sara@example.com", "unheard_of": "x",
        ]
        #expect(
            CanonicalText(of: message).masked
                == "***amount=100apple_paymentMethod={apple_displayName=***, apple_network=Visa}"
                + "customer_email=***unheard_of=******")
    }
}
