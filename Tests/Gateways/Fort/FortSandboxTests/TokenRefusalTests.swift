import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

@testable import FortSandbox

/// The checks that the sandbox makes once it has opened the token.
@Suite struct TokenRefusalTests {
    @Test func aTokenForAnotherAmountIsRefused() async throws {
        try await expect("00005", from: SandboxBench.token(9_999))
    }

    @Test("the refusal of a token for another amount says both amounts after FORT's text")
    func aTokenForAnotherAmountIsNamed() async throws {
        let bench = try SandboxBench()
        let answer = try await bench.send(bench.payment("A", token: SandboxBench.token(9_999)))
        #expect(
            answer["response_message"] == "Invalid amount. The token is for 9999, the request for 10000.", "\(answer)")
    }

    @Test func aTokenForAnotherCurrencyIsRefused() async throws {
        try await expect("00013", from: SandboxBench.token(10_000, "SAR"))
    }

    @Test func aTokenForAnotherCertificateIsRefused() async throws {
        try await expect("00099", from: SandboxBench.token(pki: .generate()))
    }

    @Test func aTokenWhoseDataWasChangedIsRefused() async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A")
        let data = try #require(payment.parameters["apple_data"]?.stringValue)
        let changed = data.prefix(40) + (data.dropFirst(40).first == "A" ? "B" : "A") + data.dropFirst(41)
        #expect(try await bench.code(of: bench.changed(payment, ["apple_data": .string(String(changed))])) == "00099")
    }

    @Test func aTokenWithTheKeyOfAnotherIsRefused() async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A")
        let header = try #require(try bench.payment("A").parameters["apple_header"])
        #expect(try await bench.code(of: bench.changed(payment, ["apple_header": header])) == "00099")
    }

    @Test func aTextThatIsNotATokenIsRefused() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), ["apple_data": "no base64"])) == "00099")
    }

    @Test func aTokenIsGoodOnceAndNoReferenceMakesItGoodAgain() async throws {
        let bench = try SandboxBench()
        let token = try SandboxBench.token()
        #expect(try await bench.send(bench.payment("A", token: token))["response_code"] == "14000")
        #expect(try await bench.send(bench.payment("B", token: token))["response_code"] == "00102")
        #expect(try await bench.send(bench.payment("A", token: token))["response_code"] == "13007")
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
    }

    @Test func ofManyOrdersWithOneTokenOneIsCharged() async throws {
        let bench = try SandboxBench()
        let token = try SandboxBench.token()
        let bodies = try (0..<50).map { try bench.payment("ORDER-\($0)", token: token).body }
        let codes = try await withThrowingTaskGroup { group in
            for body in bodies { group.addTask { try await bench.code(of: body) } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["14000": 1, "00102": 49])
    }

    @Test func aTokenIsGoodForFiveMinutes() async throws {
        let bench = try SandboxBench()
        let (first, second) = (try bench.payment("A"), try bench.payment("B"))
        bench.wait(seconds: 295)
        #expect(try await bench.code(of: first.body) == "14000")
        bench.wait(seconds: 10)
        #expect(try await bench.code(of: second.body) == "00102")
        #expect(await bench.sandbox.orders.count == 1)
    }

    @Test func aTokenWithoutASignatureIsRefused() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), ["apple_signature": "MAA="])) == "00099")
    }

    @Test func madaIsForPurchasesOnly() async throws {
        let bench = try SandboxBench()
        let mada: JSONObject = [
            "apple_paymentMethod": ["apple_displayName": "mada 1", "apple_network": "Mada", "apple_type": "debit"]
        ]
        #expect(try await bench.code(of: bench.changed(bench.payment("A", .authorization), mada)) == "03049")
        let bought = try await bench.answer(to: bench.changed(bench.payment("A"), mada)).parameters
        #expect(bought["response_code"] == "14000" && bought["payment_option"] == "MADA")
        let other = try SandboxBench(authorizesMada: true)
        #expect(try await other.code(of: other.changed(other.payment("A", .authorization), mada)) == "02000")
    }

    @Test(arguments: CardNetwork.allCases)
    func aMaskFitsItsScheme(network: CardNetwork) async throws {
        let bench = try SandboxBench()
        for (card, number) in network.testAccountNumbers.enumerated() {
            let contents = TokenContents(amount: 10_000, currency: "AED", network: network, card: card)
            let token = try PaymentToken(json: TokenMint().mint(contents, signedAt: Date()))
            let payment = try bench.payment("\(network)-\(card)", token: token)
            let answer = try await bench.answer(to: payment.body).parameters
            let mask = answer["card_number"]?.stringValue ?? ""
            #expect(mask.hasPrefix(number.prefix(6)) && mask.hasSuffix(number.suffix(4)) && mask.count == number.count)
        }
        // If the card is not of the named scheme, the mask of one of the scheme's cards is shown.
        let master: JSONObject = [
            "apple_paymentMethod": ["apple_displayName": "1", "apple_network": "MasterCard", "apple_type": "debit"]
        ]
        let other = try await bench.answer(to: bench.changed(bench.payment("X"), master)).parameters
        #expect(other["card_number"] == "555555******4444")
    }

    @Test func aStoredCardBesideTheTokenMustBeKnown() async throws {
        let bench = try SandboxBench()
        let first = try await bench.answer(
            to: bench.changed(bench.payment("A"), ["recurring_mode": "UNSCHEDULED"])
        ).parameters
        let known: JSONObject = ["token_name": first["token_name"] ?? .null]
        #expect(known["token_name"] != .null)
        #expect(try await bench.code(of: bench.changed(bench.payment("B"), known)) == "14000")
        #expect(try await bench.code(of: bench.changed(bench.payment("C"), ["token_name": "x"])) == "13044")
    }

    /// APS: "round VISA transactions to zero in the final decimal place to avoid declined transactions".
    @Test(arguments: [(10_001, "Visa", "13666"), (10_010, "Visa", "14000"), (10_001, "MasterCard", "14000")])
    func aVisaInThreeDecimalsEndsInZero(amount: Int, network: String, code: String) async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A", amount: amount, token: SandboxBench.token(amount, "KWD"))
        let card: JSON = [
            "apple_displayName": "1", "apple_network": .string(network), "apple_type": "debit",
        ]
        let body = bench.changed(payment, ["currency": "KWD", "apple_paymentMethod": card])
        #expect(try await bench.code(of: body) == code)
        guard code == "14000" else { return }
        for part in ["1005", "1010"] {
            let refund = FortMessage(
                signing: try FortRequest(.refund, merchantReference: "A", amount: part, currency: "KWD"),
                for: bench.account)
            let isDeclined = network == "Visa" && part == "1005"
            #expect(try await bench.code(of: refund.body) == (isDeclined ? "07666" : "06000"))
        }
    }

    /// Expects a refusal. A refused payment leaves its reference free, and the corrected one goes through.
    private func expect(_ code: String, from token: PaymentToken) async throws {
        let bench = try SandboxBench()
        #expect(try await bench.send(bench.payment("A", token: token))["response_code"] == code)
        #expect(await bench.sandbox.orders.isEmpty)
        #expect(try await bench.send(bench.query("A"))["response_code"] == "12036")
        #expect(try await bench.send(bench.payment("A"))["response_code"] == "14000")
    }
}
