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

    /// The token as text, as base64, and with FORT's names of its parts.
    private static let fort: JSON = [
        "apple_data": "ZGF0YQ==", "apple_signature": "c2lnbmF0dXJl",
        "apple_header": [
            "apple_ephemeralPublicKey": "a2V5", "apple_publicKeyHash": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "apple_transactionId": "00aaFF",
        ],
        "apple_paymentMethod": ["apple_displayName": "Visa 0492", "apple_network": "Visa", "apple_type": "debit"],
    ]

    private static let flat: JSON = [
        "paymentData": base64(paymentData), "transactionIdentifier": "00AAFF", "paymentMethodDisplayName": "Visa 0492",
        "paymentMethodNetwork": "Visa", "paymentMethodTypeCard": "debit", "billingNameFirst": "Sara",
    ]

    /// The token as React Native's bridge delivers it.
    private static let native: JSON =
        token.replacing("paymentData", with: .string(text(paymentData)))
        .replacing("paymentMethod", "type", with: "PKPaymentMethodTypeDebit")

    /// The value that each library delivers, according to its source.
    static let libraries: [(String, JSON)] = [
        ("react-native-payments, the bridge's event", native),
        (
            "react-native-payments, response.toJSON()",
            [
                "requestId": "r", "methodName": "apple-pay",
                "details": native.replacing("paymentData", with: paymentData), "payerName": "Sara",
            ]
        ),
        ("@rnw-community/react-native-payments, response.details", ["applePayToken": native, "payerName": "Sara"]),
        (
            "@rnw-community/react-native-payments, the response",
            [
                "requestId": "r", "methodName": "apple-pay",
                "details": ["applePayToken": native, "androidPayToken": [:]],
            ]
        ),
        (
            "the Payment Request API, response.toJSON()",
            ["requestId": "r", "methodName": "https://apple.com/apple-pay", "details": ["token": token]]
        ),
        ("a number as text for the type", token.replacing("paymentMethod", "type", with: "1")),
        ("cordova-plugin-applepay, flat", flat),
        (
            "flutter pay, the whole result",
            token.replacing("token", with: .string(text(paymentData))).replacing("paymentData", with: nil)
                .replacing("paymentMethod", "type", with: 1)
        ),
        ("@jackobo/capacitor-apple-pay", ["token": native]),
        ("JSON text twice", .string(text(.string(text(token))))),
        (
            "paymentData as JSON text twice",
            token.replacing("paymentData", with: .string(text(.string(text(paymentData)))))
        ),
        ("FORT's names", fort.replacing("transactionIdentifier", with: "00AAFF")),
        (
            "FORT's names with objects as text",
            fort.replacing("transactionIdentifier", with: "00AAFF")
                .replacing("apple_header", with: .string(text(fort["apple_header"])))
                .replacing("apple_paymentMethod", with: .string(text(fort["apple_paymentMethod"])))
        ),
        ("paymentData beside the same under the name token", token.replacing("token", with: paymentData)),
    ]

    @Test("R13: a token is the same in the shape of every library", arguments: libraries)
    func readsEveryLibrary(name: String, shape: JSON) throws {
        let (read, own) = try (PaymentToken(json: shape), PaymentToken(json: Self.token))
        #expect(read == own && read.digest == own.digest)
    }

    /// `paymentData` as base64, in each way in which apps write it.
    static let base64Texts: [(String, String)] = {
        // The text is long enough for several lines, and has letters that differ in the URL alphabet.
        let padded = paymentData.replacing("new", with: .string(String(repeating: "?>~\u{7F}", count: 40)))
        let plain = Data(text(padded).utf8).base64EncodedString()
        func lines(_ length: Int, _ end: String) -> String {
            stride(from: 0, to: plain.count, by: length).map {
                String(plain.dropFirst($0).prefix(length))
            }.joined(separator: end)
        }
        let url = plain.replacing("+", with: "-").replacing("/", with: "_")
        return [
            ("one line", plain), ("lines of 76 with CR LF", lines(76, "\r\n")),
            ("lines of 64 with LF", lines(64, "\n")),
            ("a line break at the end", lines(76, "\r\n") + "\r\n"), ("the URL alphabet", url),
            ("the URL alphabet without padding", url.replacing("=", with: "")),
            ("no padding", plain.replacing("=", with: "")),
        ]
    }()

    @Test("base64 with line breaks, of the URL alphabet or without padding is read", arguments: base64Texts)
    func readsBase64(name: String, text: String) throws {
        let shape = Self.token.replacing("paymentData", with: .string(text))
        #expect(try PaymentToken(json: shape) == PaymentToken(json: Self.token))
        #expect(try PaymentToken(json: ["token": .string(text)]).digest == PaymentToken(json: Self.token).digest)
    }

    @Test("base64 that has two meanings, or none, is refused")
    func refusesAmbiguousBase64() throws {
        let plain = try #require(Self.base64Texts.first).1
        let broken = try #require(Self.base64Texts.first { $0.0.contains("76") }).1
        let slash = try #require(plain.firstIndex { $0 == "/" || $0 == "+" })
        var mixed = plain
        mixed.replaceSubrange(slash...slash, with: plain[slash] == "/" ? "_" : "-")
        #expect(mixed.contains { $0 == "/" || $0 == "+" })
        for text in [
            mixed, plain + "=", "=" + plain, " " + plain,
            String(plain.dropLast(plain.hasSuffix("=") ? 2 : 1)) + "\u{E9}",
            broken.replacing("\r\n", with: "\n\n"), broken.replacing("\r\n", with: " "), "\r\n" + broken,
            broken.replacingOccurrences(of: "\r\n", with: "\n", range: broken.range(of: "\r\n")),
            String(broken.prefix(20)) + "\r\n" + broken.dropFirst(20),
        ] {
            #expect(throws: TokenDecodingError.self) {
                try PaymentToken(json: Self.token.replacing("paymentData", with: .string(text)))
            }
        }
    }

    private static let other = paymentData.replacing("data", with: "b3RoZXI=")
    private static let otherMethod: JSON = ["displayName": "Visa 1111", "network": "Visa", "type": "debit"]

    @Test(
        "a token that is there twice and differs is refused by the name of the second",
        arguments: [
            (token.replacing("token", with: token.replacing("paymentData", with: other)), "token"),
            (token.replacing("token", with: .string(text(other))), "token"),
            (token.replacing("details", with: ["token": token.replacing("paymentData", with: other)]), "details.token"),
            (["token": token, "applePayToken": token.replacing("paymentData", with: other)], "applePayToken"),
            (JSON.object(merged(token, fort.replacing("apple_data", with: "b3RoZXI="))), "apple_data"),
            (JSON.object(merged(token, other)), "data"),
            (JSON.object(merged(flat, ["paymentMethod": otherMethod])), "paymentMethodDisplayName"),
            (JSON.object(merged(fort, ["paymentMethod": otherMethod])), "apple_paymentMethod"),
            (
                fort.replacing("apple_applicationData", with: "00")
                    .replacing("apple_header", "apple_applicationData", with: "01"), "apple_applicationData"
            ),
        ] as [(JSON, String)])
    func refusesTwoTokens(shape: JSON, field: String) throws {
        let error = try #require(throws: TokenDecodingError.self) { try PaymentToken(json: shape) }
        guard case .invalid(let errors) = error else { return #expect(Bool(false), "\(error)") }
        #expect(errors.map(\.field) == [field])
        #expect(!"\(error)".contains("b3RoZXI"), "S1: no part of a token is in an error")
    }

    private static func merged(_ one: JSON, _ other: JSON) -> JSONObject {
        var all = one.objectValue ?? [:]
        for member in other.objectValue?.members ?? [] { all[member.name] = member.value }
        return all
    }

    @Test("a name that occurs twice in wrapped JSON is refused")
    func refusesDuplicates() {
        let text = Self.text(Self.paymentData)
        let twice = "{\"data\":\"b3RoZXI=\"," + text.dropFirst()
        for shape in [JSON.string(twice), .string(Data(twice.utf8).base64EncodedString())] {
            #expect(throws: TokenDecodingError.self) {
                try PaymentToken(json: Self.token.replacing("paymentData", with: shape))
            }
        }
    }

    @Test("a token that is wrapped without end is refused")
    func boundsTheWrappings() {
        var shape = JSON.string(Self.text(Self.token))
        for _ in 0..<3 { shape = .string(Self.text(shape)) }
        #expect(throws: TokenDecodingError.self) { try PaymentToken(json: shape) }
    }

    @Test("a field that a library drops stays absent, and the payment data is the same")
    func inventsNothing() throws {
        // The value of @fresha/capacitor-plugin-applepay.
        let fresha: JSON = ["token": Self.native.replacing("paymentMethod", "type", with: nil)]
        let read = try PaymentToken(json: fresha)
        #expect(read.paymentMethod == PaymentMethod(displayName: "Visa 0492", network: "Visa", type: nil))
        // The values of react-native-apay, expo-apple-pay-button and cordova-apple-pay-google-pay, and Swift's `paymentData`.
        for bare in [Self.paymentData, .string(Self.text(Self.paymentData)), ["paymentData": Self.paymentData]] {
            let read = try PaymentToken(json: bare)
            #expect(read.paymentMethod == nil && read.transactionIdentifier == nil)
            #expect(try read.digest == PaymentToken(json: Self.token).digest)
        }
    }

    @Test(
        "a type that PassKit does not have is refused",
        arguments: ["6", "01", "+1", "1.0", "", " 1", "PKPaymentMethodType", "PKPaymentMethodTypeGold", "error", "１"])
    func refusesOtherTypes(type: String) {
        #expect(throws: TokenDecodingError.self) {
            try PaymentToken(json: Self.token.replacing("paymentMethod", "type", with: .string(type)))
        }
    }

    @Test(arguments: zip(0...5, ["Unknown", "Debit", "Credit", "Prepaid", "Store", "EMoney"]))
    func readsPassKitsConstants(number: Int, name: String) throws {
        let token = Self.token.replacing("paymentMethod", "type", with: .string("PKPaymentMethodType" + name))
        let same = Self.token.replacing("paymentMethod", "type", with: JSON(number))
        #expect(try PaymentToken(json: token).paymentMethod == PaymentToken(json: same).paymentMethod)
    }

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
