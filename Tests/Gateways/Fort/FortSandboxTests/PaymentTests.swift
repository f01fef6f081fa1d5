import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

@testable import FortSandbox

@Suite struct PaymentTests {
    @Test(arguments: FortSignatureType.allCases)
    func aPaymentIsTakenOnceAndFoundByItsReference(type: FortSignatureType) async throws {
        let bench = try SandboxBench(type)
        let payment = try bench.payment("A")
        #expect(try await bench.send(bench.query("A"))["response_code"] == "12036")
        let taken = try await bench.send(payment)
        #expect(taken.class == .success)
        #expect(try await bench.send(payment)["response_code"] == "13007")
        let found = try await bench.send(bench.query("A"))
        #expect(found.transactionState == .captured)
        #expect(found["captured_amount"] == "10000" && found["authorized_amount"] == "10000")
        #expect(found["fort_id"] == taken["fort_id"])
        #expect(await bench.sandbox.orders.count == 1)
    }

    @Test func anAuthorizationHoldsAndDoesNotTake() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.send(bench.payment("A", .authorization))["response_code"] == "02000")
        #expect(try await bench.send(bench.payment("A", .authorization))["response_code"] == "03007")
        let found = try await bench.send(bench.query("A"))
        #expect(found.transactionState == .authorized)
        #expect(found["captured_amount"] == "0" && found["authorized_amount"] == "10000")
    }

    @Test func everyParameterComesBackExceptApplesAndTheSignature() async throws {
        let bench = try SandboxBench()
        let fields = ["customer_name": "سارة الأحمد", "order_description": "شاي #2", "merchant_extra": "b"]
        let payment = try bench.payment("A", fields: fields)
        let answer = try await bench.send(payment)
        #expect(answer.class == .success)
        for member in payment.parameters.members where member.name != "signature" {
            let expected = member.name.hasPrefix("apple_") ? nil : member.value
            #expect(answer.parameters[member.name] == expected, "\(member.name)")
        }
    }

    @Test func aTokenWithApplicationDataPays() async throws {
        let bench = try SandboxBench()
        let token = try SandboxBench.token(applicationData: [UInt8](repeating: 7, count: 32))
        let payment = try bench.payment("A", token: token)
        #expect(payment.parameters["apple_applicationData"] != nil)
        #expect(try await bench.send(payment).class == .success)
    }

    /// FORT has not published its Arabic texts, so the sandbox does not invent any.
    @Test func aRequestInArabicGetsTheEnglishTexts() async throws {
        let bench = try SandboxBench()
        let answer = try await bench.send(bench.payment("A", fields: ["language": "ar"]))
        #expect(answer["language"] == "ar" && answer.responseMessage == "Success.")
    }

    @Test func anAmountMayBeANumber() async throws {
        let bench = try SandboxBench()
        #expect(try await bench.code(of: bench.changed(bench.payment("A"), ["amount": 10_000])) == "14000")
    }

    @Test func ofManyRequestsForOneReferenceOneIsCharged() async throws {
        let bench = try SandboxBench(pause: 0.2)
        let body = try bench.payment("A").body
        let codes = try await withThrowingTaskGroup { group in
            for _ in 0..<200 { group.addTask { try await bench.code(of: body) } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["14000": 1, "13007": 199])
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
    }
}
