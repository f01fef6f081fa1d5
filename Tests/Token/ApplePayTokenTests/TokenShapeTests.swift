import ApplePayToken
import Foundation
import PayrelayPrimitives
import Testing

@Suite struct TokenShapeTests {
    private static let token: JSON = [
        "paymentData": [
            "version": "EC_v1", "data": "ZGF0YQ==", "signature": "c2lnbmF0dXJl",
            "header": [
                "ephemeralPublicKey": "a2V5", "publicKeyHash": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                "transactionId": "00aaFF",
            ],
        ],
        "paymentMethod": ["displayName": "Visa 0492", "network": "Visa", "type": "debit"],
        "transactionIdentifier": "00AAFF",
    ]

    private static func text(_ json: JSON?) -> String {
        String(decoding: (json ?? .null).encoded(), as: UTF8.self)
    }

    private static func base64(_ json: JSON?) -> JSON {
        .string(Data(text(json).utf8).base64EncodedString())
    }

    private static let paymentData = token["paymentData"] ?? .null

    static let shapes: [(String, JSON)] = [
        ("a token", token),
        ("a payment of Apple Pay JS", ["token": token, "billingContact": ["givenName": "Sara"]]),
        ("paymentData as JSON text", token.replacing("paymentData", with: .string(text(paymentData)))),
        ("paymentData as base64", token.replacing("paymentData", with: base64(paymentData))),
        (
            "paymentData under the name token, as Flutter sends it",
            token.replacing("token", with: .string(text(paymentData))).replacing("paymentData", with: nil)
        ),
        ("a token as JSON text", .string(text(token))),
        ("a payment whose token is base64", ["token": base64(token)]),
        ("PassKit's number for the type", token.replacing("paymentMethod", "type", with: 1)),
        ("members that are not known", token.replacing("paymentData", "header", "new", with: "x")),
    ]

    @Test(arguments: shapes)
    func readsEveryShape(name: String, shape: JSON) throws {
        #expect(try PaymentToken(json: shape) == PaymentToken(json: Self.token))
    }

    @Test func readsBarePaymentData() throws {
        let bare = try PaymentToken(json: Self.paymentData)
        #expect(bare.paymentMethod == nil && bare.transactionIdentifier == nil)
        #expect(try bare.digest == PaymentToken(json: Self.token).digest)
    }

    @Test func keepsTheTextAndTheBytes() throws {
        let token = try PaymentToken(json: Self.token)
        #expect(token.data.text == "ZGF0YQ==")
        #expect(token.data.bytes == Array("data".utf8))
        #expect(token.header.transactionId.text == "00aaFF")
        #expect(token.header.transactionId.bytes == [0x00, 0xAA, 0xFF])
        #expect(token.paymentMethod == PaymentMethod(displayName: "Visa 0492", network: "Visa", type: .debit))
    }

    @Test func takesANetworkThatIsNull() throws {
        let token = try PaymentToken(json: Self.token.replacing("paymentMethod", "network", with: .null))
        #expect(token.paymentMethod?.network == nil)
    }

    @Test(arguments: zip(0...4, ["unknown", "debit", "credit", "prepaid", "store"]))
    func readsPassKitsNumbers(number: Int, word: String) throws {
        let token = try PaymentToken(json: Self.token.replacing("paymentMethod", "type", with: JSON(number)))
        #expect(token.paymentMethod?.type?.rawValue == word)
    }

    @Test func concatenatesDecodedBytesInApplesOrder() throws {
        let hash = String(repeating: "0b", count: 32)
        let json = Self.token.replacing("paymentData", "header", "applicationData", with: .string(hash))
        let token = try PaymentToken(json: json)
        let content = Array("keydata".utf8) + [0x00, 0xAA, 0xFF] + Array(repeating: 0x0B, count: 32)
        #expect(token.signedContent == content)
        #expect(token.description.contains(HexText(encoding: Array(token.digest)).text))
    }

    @Test func showsNothingOfItselfInLogs() throws {
        let token = try PaymentToken(json: Self.token)
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] {
            #expect(!text.contains("ZGF0YQ") && !text.contains("c2lnbmF0dXJl"))
        }
    }

    // MARK: The Simulator

    @Test(
        arguments: [
            token.replacing("paymentData", with: ""), token.replacing("paymentData", with: [:]),
            token.replacing("paymentData", with: .null),
            token.replacing("transactionIdentifier", with: "Simulated Identifier"),
            ["token": ["paymentData": "", "transactionIdentifier": "Simulated Identifier"]],
            ["token": ""],
            [
                "paymentData": [
                    "version": "", "data": "", "signature": "",
                    "header": ["ephemeralPublicKey": "", "publicKeyHash": "", "transactionId": ""],
                ]
            ],
        ] as [JSON])
    func knowsTheSimulator(json: JSON) {
        #expect(throws: TokenDecodingError.simulator) { try PaymentToken(json: json) }
        #expect(TokenDecodingError.simulator.description.contains("iOS Simulator"))
    }
}
