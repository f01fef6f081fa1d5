import Primitives
import Testing

@testable import LoadTest

@Suite struct BooksTests {
    private func order(_ reference: String, isCharged: Bool = true, requests: Int = 1) -> BookedOrder {
        BookedOrder(reference: reference, isCharged: isCharged, chargeRequests: requests)
    }

    private func findings(_ told: [String: BooksAudit.Told], _ books: [BookedOrder]) -> Set<BooksAudit.Finding> {
        Set(BooksAudit(told: told, books: books).findings)
    }

    @Test func booksAndAnswersThatSayTheSameAreEven() {
        let audit = BooksAudit(
            told: [
                "A": .outcome("captured"), "B": .outcome("authorized"), "C": .outcome("declined"), "D": .nothing,
                "E": .outcome("not_processed"),
            ],
            books: [order("A"), order("B"), order("C", isCharged: false)])
        #expect(audit.isEven)
        #expect(audit.payments == 5)
        #expect(audit.charges == 2)
    }

    @Test func aChargeThatTheBooksDoNotHaveIsFound() {
        #expect(findings(["A": .outcome("captured")], []) == [.lost("A")])
        #expect(findings(["A": .outcome("authorized")], [order("A", isCharged: false)]) == [.lost("A")])
    }

    @Test func aChargeThatNobodyWasToldOfIsFound() {
        #expect(findings(["A": .outcome("declined")], [order("A")]) == [.untold("A", told: "declined")])
        #expect(findings(["A": .nothing], [order("A")]) == [.untold("A", told: "nothing")])
    }

    @Test func aChargeThatWasAskedForTwiceIsFound() {
        #expect(findings(["A": .outcome("captured")], [order("A", requests: 2)]) == [.twice("A")])
        #expect(findings(["A": .outcome("captured")], [order("A"), order("A")]) == [.twice("A")])
    }

    @Test func whatNobodyKnowsAndWhatNobodyOrderedIsFound() {
        #expect(findings(["A": .unknown], [order("A"), order("B")]) == [.open("A"), .foreign("B")])
    }

    @Test func booksAreReadAsTheSandboxWritesThem() throws {
        let books: JSON = [
            ["merchant_reference": "A", "amount": 1, "charged": true, "charge_requests": 1, "voided": false],
            ["merchant_reference": "with } \" \\ { in it", "charged": false, "charge_requests": 12],
        ]
        #expect(
            try BooksReader.orders(in: books.encoded()) == [
                order("A"), order("with } \" \\ { in it", isCharged: false, requests: 12),
            ])
        #expect(try BooksReader.orders(in: Array("[]".utf8)).isEmpty)
    }

    @Test(arguments: [
        "", "[", "{}", "[{]", "[1]", #"[{"merchant_reference":"A"}]"#, #"[{"merchant_reference":"A","charged":true"#,
        #"[{"merchant_reference":"A","charged":true,"charge_requests":1}x]"#,
        #"[{"merchant_reference":"A","charged":true,"charge_requests":1};{}]"#,
    ]) func whatIsNoArrayOfOrdersIsNotTakenForBooks(text: String) {
        #expect(throws: BooksReader.Malformed.self) { try BooksReader.orders(in: Array(text.utf8)) }
    }

    @Test func onlyWhatProvablyChargedNothingPassesForNothing() {
        #expect(BooksAudit.Told(.refused(status: 422, problem: "token-refused")) == .nothing)
        #expect(BooksAudit.Told(.refused(status: 503, problem: "unavailable")) == .nothing)
        #expect(BooksAudit.Told(.notSent(reason: "")) == .nothing)
        #expect(BooksAudit.Told(.refused(status: 500, problem: "internal")) == .unknown)
        #expect(BooksAudit.Told(.noAnswer(reason: "")) == .unknown)
        #expect(BooksAudit.Told(.outcome("uncertain")) == .unknown)
        #expect(BooksAudit.Told(.unusable(reason: "")) == .unknown)
    }
}
