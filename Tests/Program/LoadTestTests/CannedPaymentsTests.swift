import ApplePayToken
import Foundation
import Observability
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

@testable import payrelay_dev

@Suite struct CannedPaymentsTests {
    @Test func mintedTokensAreValidAtTheMomentsWhenTheyLeaveAndAllDifferent() async throws {
        // The schedule lasts twenty minutes, which is longer than a token is fresh.
        let schedule = ArrivalSchedule(rate: 0.1, duration: .seconds(1_200))
        let start = Date()
        let payments = try await CannedPayments.minted(
            for: schedule, name: "T", in: NSTemporaryDirectory(), cores: 2, currencies: [.AED, .UAH], now: { start })
        #expect(payments.count == 120)
        let verifier = TokenVerifier(anchor: try SandboxPKI.published.anchor(), freshness: .seconds(60))
        var tokens: Set<String> = []
        for number in 0..<120 {
            let body = try JSON(parsing: payments.body(number))
            #expect(body["merchant_reference"] == .string("T-\(number)"))
            #expect(body["currency"] == (number.isMultiple(of: 2) ? "AED" : "UAH"))
            let token = try PaymentToken(json: try #require(body["token"]))
            let leaves = start + schedule.due(number).inSeconds
            #expect(verifier.verify(token, at: .instant(leaves)).isValid)
            tokens.insert(token.header.transactionId.text)
        }
        #expect(tokens.count == 120)
    }

    @Test func aMerchantsFilesAreReadAsTokensOrAsWholeBodies() throws {
        let folder = try TemporaryFolder()
        let token: JSON = ["paymentData": ["version": "EC_v1"]]
        let body: JSON = ["amount": 5, "merchant_reference": "mine", "customer_name": "Sara", "token": token]
        try folder.file("b.json", String(decoding: body.encoded(), as: UTF8.self))
        try folder.file("a.json", String(decoding: token.encoded(), as: UTF8.self))
        try folder.file("notes.txt", "no token")
        let payments = try CannedPayments.fromFiles(
            in: folder.path, for: ArrivalSchedule(rate: 2, duration: .seconds(1)), name: "T",
            spoolFolder: NSTemporaryDirectory(), currencies: [.AED, .UAH])
        let first = try JSON(parsing: payments.body(0))
        #expect(first["merchant_reference"] == "T-0")
        #expect(first["amount"] == 10_000 && first["currency"] == "AED")
        #expect(first["token"] == token)
        let second = try JSON(parsing: payments.body(1))
        #expect(second == ["amount": 5, "merchant_reference": "T-1", "customer_name": "Sara", "token": token])
    }

    @Test func aFolderWithoutATokenForEachPaymentIsRejectedWithTheReason() throws {
        let folder = try TemporaryFolder()
        let schedule = ArrivalSchedule(rate: 1, duration: .seconds(1))
        func take(from folder: String) throws {
            _ = try CannedPayments.fromFiles(
                in: folder, for: schedule, name: "T", spoolFolder: NSTemporaryDirectory(), currencies: [.AED])
        }
        #expect(throws: CannedPaymentsError.tooFewFiles(folder: folder.path, files: 0, needed: 1)) {
            try take(from: folder.path)
        }
        try folder.file("a.json", #"{"version":"EC_v1"}"#)
        #expect(throws: CannedPaymentsError.noToken(file: folder.path("a.json"))) { try take(from: folder.path) }
        #expect(throws: CannedPaymentsError.unreadable(file: "/nowhere")) { try take(from: "/nowhere") }
    }

    @Test func aFolderThatCannotBeWrittenToIsNamed() async {
        await #expect { () async throws in
            _ = try await CannedPayments.minted(
                for: ArrivalSchedule(rate: 1, duration: .seconds(1)), name: "T", in: "/nowhere", cores: 1,
                currencies: [.AED])
        } throws: { "\($0)".hasPrefix("cannot create a file in /nowhere: ") }
    }
}
