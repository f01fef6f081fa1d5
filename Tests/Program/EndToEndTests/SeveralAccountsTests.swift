import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// A merchant with an account in each country: two merchant identifiers, two access codes, four phrases, two SHA types. The
/// sandbox reads the accounts from the relay's file, and one account cannot access the other's orders.
@Suite struct SeveralAccountsTests {
    private let accounts: TwoAccounts

    init() throws { accounts = try TwoAccounts() }

    private func order(_ reference: String, in currency: String, account: String? = nil) throws -> JSON {
        let token = try TokenMint().mint(TokenContents(amount: 10_000, currency: currency), signedAt: Date())
        return try Orders.body(reference).with([
            "command": "AUTHORIZATION", "currency": .string(currency), "token": token,
            "account": account.map { .string($0) },
        ])
    }

    @Test func everyOperationOfAPaymentUsesItsAccount() async throws {
        let relay = try await accounts.relay()
        for (currency, account, merchant) in [
            ("AED", nil, "UAE1"), ("JOD", nil, "JOR1"), ("USD", "jordan", "JOR1"), ("JOD", "uae", "UAE1"),
        ] {
            let reference = Orders.reference()
            #expect(try await relay.pay(order(reference, in: currency, account: account)).outcome == "authorized")
            #expect(try await relay.perform(reference, "capture", ["amount": 4_000]).outcome == "partially_captured")
            #expect(try await relay.perform(reference, "refund", ["amount": 1_000]).outcome == "partially_refunded")
            #expect(try await relay.post("/v1/payments/\(reference)/sync", []).outcome == "partially_refunded")
            let other = Orders.reference()
            _ = try await relay.pay(order(other, in: currency, account: account))
            #expect(try await relay.perform(other, "void").outcome == "voided")
            let orders = try await relay.sandbox.books().filter {
                [.string(reference), .string(other)].contains($0["merchant_reference"])
            }
            #expect(orders.map { $0["merchant_identifier"] } == [.string(merchant), .string(merchant)])
        }
    }

    @Test("A report of one account leads to no query about another account's payment with the same reference")
    func adoptsNothingOfAnotherAccount() async throws {
        let relay = try await accounts.relay()
        let reference = Orders.reference()
        #expect(try await relay.pay(order(reference, in: "AED")).outcome == "authorized")
        let folder = try TemporaryFolder()
        let report = try folder.file(
            "report.csv",
            "merchant_reference,command,amount,currency,status,date\n\(reference),PURCHASE,100.00,AED,14,2026-11-23\n")
        let adopted = try await RunningProgram.run(
            [
                "reconcile", "report", report, "--config", accounts.config, "--account", "jordan", "--adopt",
                "--from", "2026-01-01", "--to", "2999-01-01",
            ], environment: relay.environment)
        #expect(adopted.text.contains("now: not queried: "), "\(adopted.text)")
    }

    @Test func feedbackIsVerifiedWithThePhraseOfItsAccount() async throws {
        let relay = try await accounts.relay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "3"])
        try await relay.sandbox.set(
            "faults", ["faults": [["fault": "charge_and_never_answer", "command": "AUTHORIZATION"]]])
        try await relay.sandbox.set(
            "feedback", ["direct_url": .string("http://127.0.0.1:\(relay.port)/v1/feedback/direct"), "format": "json"])
        for currency in ["JOD", "AED"] {
            let reference = Orders.reference()
            _ = try await relay.pay(order(reference, in: currency))
            #expect(try await relay.finalOutcome(of: reference) == "authorized")
        }
        try await relay.sandbox.waitForFeedback()
        let counts = try await relay.sandbox.shown("feedback")
        #expect(counts["delivered"] == 2 && counts["given_up"] == 0)
    }

    @Test func anSDKTokenIsRequestedWithTheNamedAccount() async throws {
        let relay = try await accounts.relay()
        for (account, merchant) in [("uae", "UAE1"), ("jordan", "JOR1")] {
            let body: JSON = ["device_id": "ffffffff-a9fa-0b44", "account": .string(account)]
            let answer = try await relay.post("/v1/sdk-tokens", body.encoded())
            #expect(answer.status == 200 && answer.json?["merchant_identifier"] == .string(merchant))
        }
    }

    @Test func aSandboxWhoseFileHasNoAccountDoesNotStart() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("none.yaml", "log:\n  level: debug\n")
        let (status, text) = try await RunningProgram.run(["sandbox", "--port", "0", "--config", file])
        #expect(status == 78 && text.contains("lists no account of a gateway"))
    }

    @Test func aSandboxWhoseFileIsWrongDoesNotStart() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("wrong.yaml", "fort:\n  accounts:\n    uae:\n      acess_code: AAAA\n")
        let (status, text) = try await RunningProgram.run(["sandbox", "--port", "0", "--config", file])
        #expect(status == 78 && text.contains("acess_code"))
    }
}
