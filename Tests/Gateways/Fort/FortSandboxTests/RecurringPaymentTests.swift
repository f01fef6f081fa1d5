import FortAPI
import Foundation
import PayrelayPrimitives
import SandboxParts
import Testing

@testable import FortSandbox

@Suite struct RecurringPaymentTests {
    private let bench: SandboxBench

    init() throws { bench = try SandboxBench() }

    private func first(_ reference: String = "FIRST", amount: Int = 10_000) async throws -> FortAnswer {
        try await bench.send(
            bench.payment(
                reference, amount: amount, fields: ["recurring_mode": "UNSCHEDULED", "customer_name": "Sara"]))
    }

    private func recurring(
        _ reference: String, of card: FortAnswer, amount: Int = 4_900, _ changes: [String: String] = [:]
    ) throws -> FortMessage {
        var order = [
            "merchant_reference": reference, "amount": String(amount), "currency": "AED", "language": "en",
            "customer_email": "sara@example.com", "token_name": card["token_name"] ?? "none",
            "agreement_id": card["agreement_id"] ?? "none",
        ].merging(changes) { $1 }
        order = order.filter { $0.value != "" }
        return FortMessage(signing: try FortRequest(recurring: order), for: bench.account)
    }

    @Test func aFirstPaymentStoresTheCardOnRequest() async throws {
        let card = try await first()
        #expect(card["token_name"]?.count == 32 && card["card_holder_name"] == "Sara" && card["expiry_date"] == "5012")
        let agreement = try #require(card["agreement_id"])
        #expect(agreement.hasPrefix("AGR") && agreement.count <= 15)
        #expect(card["recurring_mode"] == "UNSCHEDULED")
        let once = try await bench.send(bench.payment("ONCE"))
        #expect(once["token_name"] == nil && once["agreement_id"] == nil)
        let declined = try await first("DECLINED", amount: 10_012)
        #expect(declined["response_code"] == "13012" && declined["token_name"] == nil)
    }

    @Test func aStoredCardPaysAgainAndAgain() async throws {
        let card = try await first()
        for month in 1...3 {
            let paid = try await bench.send(recurring("SUB-\(month)", of: card))
            #expect(paid.class == .success && paid["eci"] == "RECURRING" && paid.paymentOption == "VISA")
            #expect(paid["token_name"] == card["token_name"] && paid["digital_wallet"] == nil)
        }
        #expect(try await bench.send(recurring("SUB-1", of: card))["response_code"] == "13007")
        #expect(try await bench.send(bench.query("SUB-2")).transactionState == .captured)
        // The request in the older guide has no agreement.
        #expect(try await bench.send(recurring("SUB-4", of: card, ["agreement_id": ""])).class == .success)
        #expect(await bench.sandbox.orders.map(\.chargeRequests) == [1, 2, 1, 1, 1])
    }

    @Test(arguments: [(10_012, "13012"), (10_029, "13029"), (10_666, "13666"), (10_006, "13006"), (15_777, "15777")])
    func amountsSelectTheOutcome(amount: Int, code: String) async throws {
        let card = try await first()
        #expect(try await bench.send(recurring("SUB", of: card, amount: amount))["response_code"] == code)
    }

    @Test func anEndedAgreementIsDeclined() async throws {
        let card = try await first()
        let other = try await first("OTHER")
        #expect(await bench.sandbox.end(agreement: card["agreement_id"] ?? ""))
        #expect(await !bench.sandbox.end(agreement: "AGR1"))
        for agreement in [card["agreement_id"] ?? "", ""] {
            let message = try recurring("SUB-\(agreement)", of: card, ["agreement_id": agreement])
            #expect(try await bench.send(message)["response_code"] == "13666")
        }
        #expect(try await bench.send(recurring("SUB-OTHER", of: other)).class == .success)
        #expect(
            await bench.sandbox.orders.filter(\.isCharged).map(\.merchantReference) == ["FIRST", "OTHER", "SUB-OTHER"])
        let shown = await bench.sandbox.books.agreements(limit: 9)
        #expect(shown.map { $0["ended"] } == [false, true])
    }

    @Test func anUnknownTokenAndAnotherTokensAgreementAreRefused() async throws {
        let card = try await first()
        let other = try await first("OTHER")
        let agreement = try #require(other["agreement_id"])
        for (changes, code) in [
            (["token_name": "Op9Vmp"], "00044"), (["agreement_id": agreement], "00088"),
            (["agreement_id": "AGR1"], "00088"),
        ] {
            #expect(try await bench.send(recurring("SUB", of: card, changes))["response_code"] == code)
        }
        // A refused request leaves its reference free.
        #expect(try await bench.send(recurring("SUB", of: card)).class == .success)
    }

    @Test(
        arguments: [
            (["eci": "ECOMMERCE"], "00001"), (["command": "AUTHORIZATION"], "00033"), (["token_name": .null], "00001"),
            (["customer_email": .null], "00001"), (["recurring_mode": "UNSCHEDULED"], "00027"),
            (["payment_option": "KNET"], "00033"), (["agreement_id": "AGR4567890123456"], "00032"),
            (["token_name": "a b"], "00002"), (["customer_ip": "192.0.2.10"], "14000"), (["amount": 4_900], "14000"),
            (["apple_data": "x"], "00027"),
        ] as [(JSONObject, String)])
    func theParametersAreThoseOfARecurringPayment(changes: JSONObject, code: String) async throws {
        let card = try await first()
        #expect(try await bench.code(of: bench.changed(recurring("SUB", of: card), changes)) == code)
    }

    @Test func aTokenIsItsMerchantsAlone() async throws {
        func entry(_ access: String, _ merchant: String) throws -> FortAccounts.Entry {
            .init(
                name: access.lowercased(),
                account: try FortAccount(
                    accessCode: access, merchantIdentifier: merchant, requestPhrase: Secret("REQ"),
                    responsePhrase: Secret("RES")))
        }
        let entries = try [entry("ACCESS", "MERCHANT"), entry("CARDS", "MERCHANT"), entry("OTHER", "STRANGER")]
        let sandbox = FortSandbox(accounts: try FortAccounts(entries))
        let apple = try bench.payment("FIRST", fields: ["recurring_mode": "UNSCHEDULED"])
        let card = try await sandbox.answer(to: apple, of: entries[0].account)
        for (entry, code) in zip(entries, ["14000", "14000", "00044"]) {
            let order = try recurring("SUB-\(entry.name)", of: card)
            let message = FortMessage(
                signing: try FortRequest(recurring: order.orderFields), for: entry.account)
            #expect(try await sandbox.answer(to: message, of: entry.account)["response_code"] == code)
        }
    }

    @Test func onlyTheLatestTokensAreRemembered() {
        var tokens = SandboxTokens(limit: 3)
        let issued = (0..<10).map { number in
            tokens.issue(to: "M", paymentOption: "VISA", cardHolderName: "\(number)", isRecurring: number != 8)
        }
        #expect(
            issued.map { tokens.token($0.name, of: "M") != nil } == Array(repeating: false, count: 7) + [
                true, true, true,
            ])
        #expect(issued.allSatisfy { tokens.token($0.name, of: "N") == nil })
        #expect(
            issued.map { tokens.end(agreement: $0.agreementID ?? "") } == Array(repeating: false, count: 7) + [
                true, false, true,
            ])
        #expect(tokens.hasEnded(issued[9]) && !tokens.hasEnded(issued[8]))
        #expect(
            tokens.agreements(limit: 9).map { $0["agreement_id"]?.stringValue } == [
                issued[9].agreementID, issued[7].agreementID,
            ])
        #expect(tokens.agreements(limit: 1).count == 1)
        for _ in 0..<3 { _ = tokens.issue(to: "M", paymentOption: "VISA", cardHolderName: "", isRecurring: true) }
        #expect(!tokens.hasEnded(issued[9]))
    }
}

extension FortSandbox {
    fileprivate func answer(to message: FortMessage, of account: FortAccount) async throws -> FortAnswer {
        guard case .answer(let bytes) = await reply(to: message.body) else { throw SandboxBench.Silence() }
        return try FortAnswer(verifying: bytes, of: account, to: message)
    }
}

extension FortMessage {
    /// The fields from which the order was made, without the account's parameters.
    fileprivate var orderFields: [String: String] {
        let added: Set = ["access_code", "merchant_identifier", "signature"]
        return Dictionary(
            uniqueKeysWithValues: parameters.members.filter { !added.contains($0.name) }
                .map { ($0.name, $0.value.stringValue ?? "") })
    }
}
