import PayrelayPrimitives
import Testing

@testable import FortAPI

/// Signatures that APS's own PHP SDK computed (`APSSignature`, github.com/payfort/payfort-php-sdk, run with PHP 8.2).
///
/// The SDK sorts the top-level names with `ksort` and puts the pairs without separators between two phrases. `apple_header` and
/// `apple_paymentMethod` become `name={a=1, b=2}`, without quotes, with their members *in the order in which they are sent*:
/// the SDK sends `apple_transactionId` first, then `apple_publicKeyHash`, then `apple_ephemeralPublicKey`. Empty and null
/// values become `name=`. The SDK hashes only with SHA-256 or SHA-512 and has no HMAC.
struct PHPSDKSignatureTests {
    /// The signed messages, as JSON.
    enum Message: String, CustomTestStringConvertible {
        case payment, capture

        var json: String { self == .payment ? PHPSDKSignatureTests.payment : PHPSDKSignatureTests.capture }
        var testDescription: String { rawValue }
    }

    /// A payment as the SDK would send it, with values that are difficult for other implementations.
    private static let payment = #"""
        {"digital_wallet": "APPLE_PAY", "command": "PURCHASE", "merchant_identifier": "CycHZxVj",
         "access_code": "zx0IPmPy5jp1vAz8Kpg7", "merchant_reference": "XYZ9239-yu898", "language": "ar",
         "amount": 10000, "currency": "AED", "customer_email": "canary@example.com",
         "apple_data": "nIje+wQG/TVVBgFqBxJoTk8Maig4D==", "apple_signature": "MIAGCSqG/SIb3DQEHAqCAMIACAQEx+",
         "apple_applicationData": "a1b2c3d4e5f6", "customer_ip": "192.178.1.10",
         "apple_header": {"apple_transactionId": "ee0c2dafa3a5a96f",
           "apple_publicKeyHash": "YWEPi8j+nYJHD5C04PdGEFHam6mlIexZ8moIWNn6Pbo=",
           "apple_ephemeralPublicKey": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD/QgAE=="},
         "apple_paymentMethod": {"apple_displayName": "Visa •••• 0492, a=b", "apple_network": "Visa", "apple_type": ""},
         "customer_name": "سارة الأحمد", "order_description": "iPhone 6-S / #1", "phone_number": "",
         "merchant_extra1": "b", "merchant_extra": "a", "merchant_extra10": null, "eci": "ECOMMERCE"}
        """#
    private static let capture = #"""
        {"command": "CAPTURE", "merchant_identifier": "CycHZxVj", "access_code": "zx0IPmPy5jp1vAz8Kpg7",
         "merchant_reference": "XYZ9239-yu898", "language": "en", "amount": "4000", "currency": "AED",
         "order_description": "first part", "fort_id": "149295435400084008"}
        """#

    @Test(arguments: [
        (Message.payment, FortSignatureType.sha256, "ed97b508faedc1b913937d8962252faa1a3b5cac59d671ab2ecbf5239f2868c6"),
        (
            .payment, .sha512,
            "5432e096c90193f87500ac1ea38d068507b0341964459d7a0161f744034b673c"
                + "bc93518d5ce13ec900620517ae313d19f467d9c90d7e5f96986b832a92e1cdd5"
        ),
        (.capture, .sha256, "a795b26a931f5b7ef879825cd43dd7275a5960fafd1248b29547af482400ef62"),
        (
            .capture, .sha512,
            "c7cd32ebe4d61ed38919319e9ad57f3fb64f82443a0ac0865139844ff38d66ff"
                + "184c921ac9c53cce00026fd65257c860a2bfac3a0c2f7f4c792e686b97a412e4"
        ),
    ])
    func aMessageHasTheSignatureThatTheSDKComputes(message: Message, type: FortSignatureType, signature: String) throws
    {
        let message = try #require(try JSON(parsing: Array(message.json.utf8)).objectValue)
        let ours = FortSignature(of: message, phrase: Secret("p(h{r&a}$e'٣"), type: type)
        #expect(ours.hexadecimal == signature)
    }

    /// The same payment twice: with the header in the SDK's order and in this project's order. The SDK signs each as it is
    /// sent. FORT must do the same, or the SDK's own requests would fail.
    @Test(arguments: [
        (
            ["apple_transactionId", "apple_publicKeyHash", "apple_ephemeralPublicKey"],
            "91963f51cf97892699c44f37c1a25dd42ccf089e929f6c8ced004d8f1f5acc96"
        ),
        (
            ["apple_ephemeralPublicKey", "apple_publicKeyHash", "apple_transactionId"],
            "83d6529f4211f9d218320edbd696fd3f34b1b57c081b4c5847b32d52ed41c19b"
        ),
    ])
    func innerNamesAreSignedInTheOrderInWhichTheyAreSent(names: [String], signature: String) throws {
        let header: JSONObject = [
            "apple_transactionId": "ee0c2d", "apple_ephemeralPublicKey": "MFkw/EwY+A==",
            "apple_publicKeyHash": "YWEP/i8j+n8=",
        ]
        let message: JSONObject = [
            "digital_wallet": "APPLE_PAY", "command": "PURCHASE", "merchant_reference": "Test010", "amount": "10000",
            "currency": "AED", "language": "en", "customer_email": "test@gmail.com", "customer_ip": "192.178.1.10",
            "access_code": "zx0IPmPy5jp1vAz8Kpg7", "merchant_identifier": "CycHZxVj",
            "apple_data": "AAAA/BBB+CCC==", "apple_signature": "MIAG/CSq+A==",
            "apple_header": .object(JSONObject(names.map { ($0, header[$0] ?? .null) })),
            "apple_paymentMethod": [
                "apple_displayName": "Visa 0492", "apple_network": "Visa", "apple_type": "debit",
            ],
        ]
        #expect(FortSignature(of: message, phrase: Secret("PASS"), type: .sha256).hexadecimal == signature)
    }
}
