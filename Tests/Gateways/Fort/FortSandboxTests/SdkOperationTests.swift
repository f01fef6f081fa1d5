import ApplePayToken
import FortAPI
import Foundation
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

/// The requests of FORT's mobile SDK: an order without a signature, and a token that the merchant's backend requested.
@Suite struct SdkOperationTests {
    private let sdk: SdkExchange
    private var bench: SandboxBench { sdk.bench }

    init() throws { sdk = try SdkExchange() }

    @Test func aTokenPaysOneOrderAndNoSecond() async throws {
        let token = try await sdk.token()
        let paid = try await sdk.answer(sdk.operation(token, "A"))
        #expect(paid["response_code"] == "14000" && paid["sdk_token"] == .string(token))
        #expect(paid["access_code"] == "ACCESS" && paid["merchant_identifier"] == "MERCHANT")
        #expect(paid["device_id"] == nil)
        #expect(try await sdk.code(sdk.operation(token, "B")) == "00040")
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
        // The order is an ordinary order: the merchant can query it.
        #expect(try await bench.send(bench.query("A")).parameters["transaction_code"] == "14000")
    }

    @Test func aTokenLivesForAnHour() async throws {
        let (early, late) = (try await sdk.token(), try await sdk.token())
        bench.wait(seconds: 3_599)
        #expect(try await sdk.code(sdk.operation(early, "A")) == "14000")
        bench.wait(seconds: 1)
        #expect(try await sdk.code(sdk.operation(late, "B")) == "00040")
        #expect(await bench.sandbox.orders.count == 1)
    }

    @Test func aTokenOfAnotherDeviceOrSandboxPaysNothing() async throws {
        let token = try await sdk.token()
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
            #expect(try await sdk.code(sdk.operation(token, "A", change)) == expected, "\(change.names)")
        }
        #expect(await bench.sandbox.orders.isEmpty)
        // A refused request does not use up the token or the reference.
        let own: JSONObject = ["access_code": "ACCESS", "merchant_identifier": "MERCHANT", "payment_option": "MADA"]
        #expect(try await sdk.answer(sdk.operation(token, "A", own))["payment_option"] == "MADA")
    }

    @Test func ofManyRequestsAtOnceOnePays() async throws {
        let token = try await sdk.token()
        let codes = try await withThrowingTaskGroup { group in
            for number in 0..<20 { group.addTask { try await sdk.code(sdk.operation(token, "R\(number)")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == "14000" } == 1 && codes.count { $0 == "00040" } == 19)
        #expect(await bench.sandbox.orders.count == 1)
    }

    @Test func aTakenReferenceIsADuplicateAndLeavesTheToken() async throws {
        _ = try await bench.send(bench.payment("A"))
        let token = try await sdk.token()
        #expect(try await sdk.code(sdk.operation(token, "A")) == "13007")
        #expect(try await sdk.code(sdk.operation(token, "B")) == "14000")
    }

    @Test func applePayThroughTheSdkIsHeldAgainstItsToken() async throws {
        let (first, second) = (try await sdk.token(), try await sdk.token())
        let apple = try sdk.applePay()
        func with(_ sdkToken: String, _ reference: String, _ apple: JSONObject, amount: String = "10000") -> JSONObject
        {
            sdk.operation(
                sdkToken, reference,
                JSONObject(apple.members.map { ($0.name, $0.value) } + [("amount", .string(amount))]))
        }
        #expect(try await sdk.code(with(first, "A", apple, amount: "20000")) == "00005")
        #expect(try await sdk.code(with(first, "A", apple.filter { $0.name != "apple_data" })) == "00001")
        #expect(try await sdk.answer(with(first, "A", apple))["payment_option"] == "VISA")
        // The first payment used Apple's token, too.
        #expect(try await sdk.code(with(second, "B", apple)) == "00102")
        var authorization = with(second, "B", try sdk.applePay(network: "mada"))
        authorization["command"] = "AUTHORIZATION"
        #expect(try await sdk.code(authorization) == "03049")
        #expect(try await sdk.code(with(second, "B", try sdk.applePay())) == "14000")
    }

    /// The guide's samples send an empty `payment_option`.
    @Test func anEmptyParameterCountsAsAbsent() async throws {
        let empty: JSONObject = ["payment_option": "", "token_name": "", "eci": "", "remember_me": ""]
        let answer = try await sdk.answer(sdk.operation(sdk.token(), "A", empty))
        #expect(answer["response_code"] == "14000" && answer["payment_option"] == "VISA")
        #expect(answer["token_name"] == "")
    }

    @Test func aCardIsSavedOnRequestAndPaysLaterByItsName() async throws {
        let first = try await sdk.answer(
            sdk.operation(sdk.token(), "A", ["remember_me": "YES", "payment_option": "MASTERCARD"]))
        let name = try #require(first["token_name"])
        #expect(first["remember_me"] == "YES" && name.stringValue?.count == 32)
        // The payment uses the saved card's scheme, whatever the request says, and the card gets no second name.
        let later: JSONObject = ["token_name": name, "remember_me": "YES", "payment_option": "VISA"]
        let second = try await sdk.answer(sdk.operation(sdk.token(), "B", later))
        #expect(second["response_code"] == "14000" && second["token_name"] == name)
        #expect(second["payment_option"] == "MASTERCARD")
        for (reference, answer) in [("C", "NO"), ("D", "No")] {
            let unsaved = try await sdk.answer(sdk.operation(sdk.token(), reference, ["remember_me": .string(answer)]))
            #expect(unsaved["response_code"] == "14000" && unsaved["token_name"] == nil)
        }
    }

    /// The amount selects the outcome: a declined card is not saved.
    @Test func aDeclinedCardIsNotSavedAndAnUnknownNamePaysNothing() async throws {
        let declined = try await sdk.answer(
            sdk.operation(sdk.token(), "A", ["remember_me": "YES", "amount": "10666"]))
        #expect(declined["response_code"] == "13666" && declined["token_name"] == nil)
        let token = try await sdk.token()
        #expect(try await sdk.code(sdk.operation(token, "B", ["token_name": "Op9Vmp"])) == "13044")
        #expect(try await sdk.code(sdk.operation(token, "B", ["token_name": "a b"])) == "00002")
        #expect(try await sdk.code(sdk.operation(token, "B", ["remember_me": "yes"])) == "00033")
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
        #expect(try await sdk.code(sdk.operation(token, "B")) == "14000")
    }

    /// The indicator for a card that the merchant enters for the customer: "MOTO … in VISA, MASTERCARD and AMEX".
    @Test func theIndicatorIsAnsweredAsItWasSent() async throws {
        let answer = try await sdk.answer(sdk.operation(sdk.token(), "A", ["eci": "MOTO", "payment_option": "AMEX"]))
        #expect(answer["eci"] == "MOTO" && answer["payment_option"] == "AMEX")
        #expect(try await sdk.code(sdk.operation(sdk.token(), "B", ["eci": "RECURRING"])) == "00033")
        // An Apple token is entered by the customer, so the indicator is refused.
        var moto = try sdk.operation(await sdk.token(), "C", sdk.applePay())
        moto["eci"] = "MOTO"
        #expect(try await sdk.code(moto) == "00033")
    }

    @Test func faultsStrikeItAsAnyCharge() async throws {
        let (first, second) = (try await sdk.token(), try await sdk.token())
        bench.sandbox.faults = FaultSchedule([
            FaultRule(.http500, command: .purchase, count: 1),
            FaultRule(.chargeAndNeverAnswer, command: .purchase, count: 1),
        ])
        func reply(_ token: String, _ reference: String) async -> FortSandbox.Reply {
            await bench.sandbox.replyToSdk(JSON.object(sdk.operation(token, reference)).encoded())
        }
        #expect(await reply(first, "A") == .failure)
        #expect(await reply(first, "A") == .silence)
        #expect(await bench.sandbox.orders.map(\.merchantReference) == ["A"])
        #expect(await reply(second, "B") != .silence)
        #expect(try await sdk.code(["x": 1]) == "00004")
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
