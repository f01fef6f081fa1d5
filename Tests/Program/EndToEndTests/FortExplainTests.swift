import Crypto
import Foundation
import PayrelayPrimitives
import Testing

/// `payrelay fort explain` with signatures that have the most frequent mistakes of FORT's integrators.
@Suite struct FortExplainTests {
    private static let message = #"""
        {"merchant_extra1": "b", "merchant_extra": "a", "merchant_extra2": "",
         "merchant_extra3": "", "customer_name": " Sara", "amount": "10000",
         "command": "PURCHASE", "apple_data": "AA/BB+C=",
         "apple_header": {"apple_transactionId": "ee0c", "apple_publicKeyHash": "YWE=", "apple_ephemeralPublicKey": "MFkw"}}
        """#
    /// The name-value pairs that FORT signs.
    private static let pairs = [
        "amount=10000", "apple_data=AA/BB+C=",
        "apple_header={apple_transactionId=ee0c, apple_publicKeyHash=YWE=, apple_ephemeralPublicKey=MFkw}",
        "command=PURCHASE", "customer_name= Sara", "merchant_extra=a", "merchant_extra1=b", "merchant_extra2=",
        "merchant_extra3=",
    ]
    private static let environment = [
        "PAYRELAY_FORT_REQUEST_PHRASE": "CANARY-REQ", "PAYRELAY_FORT_RESPONSE_PHRASE": "CANARY-RES",
    ]

    private static func text(_ pairs: [String] = pairs, start: String = "CANARY-REQ", end: String = "CANARY-REQ")
        -> Data
    {
        Data((start + pairs.joined() + end).utf8)
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    private static func sha256(_ text: Data) -> String { hex(SHA256.hash(data: text)) }

    private static func changing(_ old: String, _ new: String) -> [String] {
        pairs.map { $0.replacing(old, with: new) }
    }

    private func explain(_ signature: String) async throws -> (status: Int32, text: String) {
        try await RunningProgram.run(
            ["fort", "explain", "-", "--type", "sha256", "--json", "--signature", signature],
            environment: Self.environment, input: Self.message)
    }

    @Test func aRightSignatureMatches() async throws {
        let (status, text) = try await explain(Self.sha256(Self.text()))
        #expect(status == 0)
        #expect(try JSON(parsing: Array(text.utf8))["result"] == "correct")
    }

    @Test(arguments: [
        ("phrase-missing-at-start", sha256(text(start: ""))), ("phrase-missing-at-end", sha256(text(end: ""))),
        (
            "hashed-with-hmac-sha256",
            hex(HMAC<SHA256>.authenticationCode(for: text(), using: SymmetricKey(data: Data("CANARY-REQ".utf8))))
        ),
        ("hashed-with-sha512", hex(SHA512.hash(data: text()))),
        (
            "inner-names-sorted",
            sha256(
                text(
                    changing(
                        "apple_transactionId=ee0c, apple_publicKeyHash=YWE=, apple_ephemeralPublicKey=MFkw",
                        "apple_ephemeralPublicKey=MFkw, apple_publicKeyHash=YWE=, apple_transactionId=ee0c")))
        ),
        ("pairs-sorted", sha256(text(pairs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }))),
        ("empty-values-left-out", sha256(text(Array(pairs.dropLast(2))))),
        ("empty-values-signed", sha256(text(changing("= Sara", "= Saraeci=")))),
        ("slashes-escaped", sha256(text(changing("/", "\\/")))),
        ("upper-case", sha256(text()).uppercased()),
        ("other-phrase", sha256(text(start: "CANARY-RES", end: "CANARY-RES"))),
        ("values-trimmed", sha256(text(changing("= Sara", "=Sara")))),
    ])
    func aMistakeIsNamed(name: String, signature: String) async throws {
        let (status, text) = try await explain(signature)
        #expect(status == 1 && !text.contains("CANARY"))
        let answer = try JSON(parsing: Array(text.utf8))
        let ways = answer["ways"]?.arrayValue?.map { $0.arrayValue?.compactMap { $0["name"]?.stringValue } ?? [] }
        #expect(ways == [[name]], "\(text)")
    }
}
