import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// What FORT's mobile SDK sends: an order without a signature, and a token that the merchant's backend asked for.
@Suite struct SdkOperationTests {
    private let bench: SandboxBench
    private static let device = "ffffffff-a9fa-0b44-7b27-29e70033c587"

    init() throws { bench = try SandboxBench() }

    private func token(device: String = device) async throws -> String {
        let request = try SdkTokenRequest(deviceID: device)
        let answer = try await bench.answer(to: FortMessage(signing: request, for: bench.account).body)
        return try #require(answer.parameters["sdk_token"]?.stringValue)
    }

    private func operation(_ token: String, _ reference: String, _ changes: JSONObject = [:]) -> JSONObject {
        var parameters: JSONObject = [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": "10000", "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "sdk_token": .string(token),
            "device_id": .string(Self.device),
        ]
        for change in changes.members { parameters[change.name] = change.value == .null ? nil : change.value }
        return parameters
    }

    /// An Apple Pay token as FORT's parameters.
    private func applePay(_ amount: Int = 10_000, network: String = "Visa") throws -> JSONObject {
        let message = try bench.payment("NONE", amount: amount)
        var parameters = message.parameters.filter { $0.name.hasPrefix("apple_") || $0.name == "digital_wallet" }
        var method = parameters["apple_paymentMethod"]?.objectValue ?? [:]
        method["apple_network"] = .string(network)
        parameters["apple_paymentMethod"] = .object(method)
        return parameters
    }

    private func answer(_ parameters: JSONObject) async throws -> JSONObject {
        guard case .answer(let bytes) = await bench.sandbox.replyToSdk(JSON.object(parameters).encoded()) else {
            throw SandboxBench.Silence()
        }
        let answer = try #require(try JSON(parsing: bytes).objectValue)
        let signature = FortSignature(
            of: answer, phrase: bench.account.responsePhrase, type: bench.account.signatureType)
        #expect(signature.matches(try #require(answer["signature"]?.stringValue)))
        let code = try #require(FortCode(answer["response_code"]?.stringValue ?? ""))
        #expect(code.statusText != nil && code.messageText != nil)
        return answer
    }

    private func code(_ parameters: JSONObject) async throws -> String? {
        try await answer(parameters)["response_code"]?.stringValue
    }

    @Test func aTokenPaysOneOrderAndNoSecond() async throws {
        let token = try await token()
        let paid = try await answer(operation(token, "A"))
        #expect(paid["response_code"] == "14000" && paid["sdk_token"] == .string(token))
        #expect(paid["access_code"] == "ACCESS" && paid["merchant_identifier"] == "MERCHANT")
        #expect(paid["device_id"] == nil)
        #expect(try await code(operation(token, "B")) == "00040")
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
        // The order is one like any other: the merchant can ask about it.
        #expect(try await bench.send(bench.query("A")).parameters["transaction_code"] == "14000")
    }

    @Test func aTokenLivesForAnHour() async throws {
        let (early, late) = (try await token(), try await token())
        bench.wait(seconds: 3_599)
        #expect(try await code(operation(early, "A")) == "14000")
        bench.wait(seconds: 1)
        #expect(try await code(operation(late, "B")) == "00040")
        #expect(await bench.sandbox.orders.count == 1)
    }

    @Test func aTokenOfAnotherDeviceOrSandboxPaysNothing() async throws {
        let token = try await token()
        let changes: [(JSONObject, String)] = [
            (["sdk_token": "ABCDEF"], "00040"), (["sdk_token": .null], "00001"), (["sdk_token": ""], "00001"),
            (["device_id": "another"], "00040"), (["device_id": .null], "00001"),
            (["access_code": "OTHER"], "00040"), (["merchant_identifier": "OTHER"], "00040"),
            (["command": "REFUND"], "00004"), (["colour": "red"], "00027"), (["card_number": "4111"], "00027"),
            (["customer_email": .null], "00001"), (["amount": "1.5"], "00005"), (["currency": "ZZZ"], "00013"),
            (["payment_option": "VISAS"], "00033"), (["settlement_reference": "a b"], "00002"),
            (["command": "AUTHORIZATION", "payment_option": "MADA"], "03049"),
        ]
        for (change, expected) in changes {
            #expect(try await code(operation(token, "A", change)) == expected, "\(change.names)")
        }
        #expect(await bench.sandbox.orders.isEmpty)
        // A refused request uses nothing up.
        let own: JSONObject = ["access_code": "ACCESS", "merchant_identifier": "MERCHANT", "payment_option": "MADA"]
        #expect(try await answer(operation(token, "A", own))["payment_option"] == "MADA")
    }

    @Test func ofManyRequestsAtOnceOnePays() async throws {
        let token = try await token()
        let codes = try await withThrowingTaskGroup { group in
            for number in 0..<20 { group.addTask { try await code(operation(token, "R\(number)")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == "14000" } == 1 && codes.count { $0 == "00040" } == 19)
        #expect(await bench.sandbox.orders.count == 1)
    }

    @Test func aTakenReferenceIsADuplicateAndLeavesTheToken() async throws {
        _ = try await bench.send(bench.payment("A"))
        let token = try await token()
        #expect(try await code(operation(token, "A")) == "13007")
        #expect(try await code(operation(token, "B")) == "14000")
    }

    @Test func applePayThroughTheSdkIsHeldAgainstItsToken() async throws {
        let (first, second) = (try await token(), try await token())
        let apple = try applePay()
        func with(_ sdkToken: String, _ reference: String, _ apple: JSONObject, amount: String = "10000") -> JSONObject
        {
            operation(
                sdkToken, reference,
                JSONObject(apple.members.map { ($0.name, $0.value) } + [("amount", .string(amount))]))
        }
        #expect(try await code(with(first, "A", apple, amount: "20000")) == "00005")
        #expect(try await code(with(first, "A", apple.filter { $0.name != "apple_data" })) == "00001")
        #expect(try await answer(with(first, "A", apple))["payment_option"] == "VISA")
        // Apple's token is used, too.
        #expect(try await code(with(second, "B", apple)) == "00102")
        var authorization = with(second, "B", try applePay(network: "mada"))
        authorization["command"] = "AUTHORIZATION"
        #expect(try await code(authorization) == "03049")
        #expect(try await code(with(second, "B", try applePay())) == "14000")
    }

    @Test func faultsStrikeItAsAnyCharge() async throws {
        let (first, second) = (try await token(), try await token())
        bench.sandbox.faults = FaultSchedule([
            FaultRule(.http500, command: .purchase, count: 1),
            FaultRule(.chargeAndNeverAnswer, command: .purchase, count: 1),
        ])
        func reply(_ token: String, _ reference: String) async -> FortSandbox.Reply {
            await bench.sandbox.replyToSdk(JSON.object(operation(token, reference)).encoded())
        }
        #expect(await reply(first, "A") == .failure)
        #expect(await reply(first, "A") == .silence)
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
        #expect(await reply(second, "B") != .silence)
        #expect(try await code(["x": 1]) == "00004")
        guard case .answer = await bench.sandbox.replyToSdk(Array("no JSON".utf8)) else {
            Issue.record("what is no object is answered, too")
            return
        }
    }

    @Test func veryManyUnusedTokensAreForgottenOldestFirst() {
        var tokens = SandboxSdkTokens(limit: 8)
        let now = Date()
        for number in 1...9 { tokens.issue("\(number)", .init(accessCode: "A", deviceID: "d", issuedAt: now)) }
        #expect((1...9).filter { tokens.issue(of: "\($0)", at: now) != nil } == [4, 5, 6, 7, 8, 9])
    }
}
