import ApplePayToken
import FortAPI
import Foundation
import OrderedJSON
import Testing
import TokenMint

@testable import FortSandbox

@Suite struct FortSandboxTests {
    @Test func aPaymentIsTakenOnceAndFoundByItsReference() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.pay("A")["response_code"] == "14000")
        #expect(try await bench.pay("A")["response_code"] == "13007")
        #expect(try await bench.ask("A")["transaction_code"] == "14000")
        #expect(try await bench.ask("B")["response_code"] == "12036")
        #expect(await bench.sandbox.orders.count == 1)
    }
}
