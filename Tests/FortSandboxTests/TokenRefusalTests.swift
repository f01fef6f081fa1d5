import ApplePayToken
import FortAPI
import OrderedJSON
import Testing
import TokenMint

@testable import FortSandbox

/// What the sandbox sees once it has opened the token.
@Suite struct TokenRefusalTests {
    @Test func aTokenForAnotherAmountIsRefused() async throws {
        try await expect("00005", from: SandboxBench.token(9_999))
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

    @Test func whatIsNoTokenIsRefused() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), ["apple_data": "no base64"])) == "00099")
    }

    /// A refused payment leaves its reference free: the right one goes through.
    private func expect(_ code: String, from token: PaymentToken) async throws {
        let bench = try SandboxBench()
        #expect(try await bench.send(bench.payment("A", token: token))["response_code"] == code)
        #expect(await bench.sandbox.orders.isEmpty)
        #expect(try await bench.send(bench.query("A"))["response_code"] == "12036")
        #expect(try await bench.send(bench.payment("A"))["response_code"] == "14000")
    }
}
