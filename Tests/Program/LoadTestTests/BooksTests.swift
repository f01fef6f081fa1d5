import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import payrelay_dev

@Suite struct BooksTests {
    private func order(_ reference: String, isCharged: Bool = true, requests: Int = 1) -> BookedOrder {
        BookedOrder(reference: reference, isCharged: isCharged, chargeRequests: requests)
    }

    private func differences(_ reported: [String: BooksAudit.Reported], _ books: [BookedOrder]) -> Set<
        BooksAudit.Difference
    > {
        Set(BooksAudit(reported: reported, books: books).differences)
    }

    @Test func booksAndAnswersThatAgreeAreEqual() {
        let audit = BooksAudit(
            reported: [
                "A": .outcome(.captured), "B": .outcome(.authorized), "C": .outcome(.declined), "D": .nothing,
                "E": .outcome(.notProcessed),
            ],
            books: [order("A"), order("B"), order("C", isCharged: false)])
        #expect(audit.isEqual)
        #expect(audit.payments == 5)
        #expect(audit.charges == 2)
    }

    @Test func aChargeThatTheBooksDoNotHaveIsFound() {
        #expect(differences(["A": .outcome(.captured)], []) == [.lost("A")])
        #expect(differences(["A": .outcome(.authorized)], [order("A", isCharged: false)]) == [.lost("A")])
    }

    @Test func aChargeThatWasNotReportedIsFound() {
        #expect(differences(["A": .outcome(.declined)], [order("A")]) == [.unreported("A", as: "declined")])
        #expect(differences(["A": .nothing], [order("A")]) == [.unreported("A", as: "nothing")])
    }

    @Test func aChargeThatWasRequestedTwiceIsFound() {
        #expect(differences(["A": .outcome(.captured)], [order("A", requests: 2)]) == [.duplicate("A")])
        #expect(differences(["A": .outcome(.captured)], [order("A"), order("A")]) == [.duplicate("A")])
    }

    @Test func aChargeAtAnotherGatewayIsLostAtItsOwn() {
        let audit = BooksAudit([
            BooksAudit(reported: ["A": .outcome(.captured)], books: []),
            BooksAudit(reported: ["B": .outcome(.captured)], books: [order("A"), order("B")]),
        ])
        #expect(audit.differences == [.lost("A"), .unexpected("A")])
        #expect(audit.payments == 2 && audit.charges == 2)
    }

    @Test func unresolvedAndUnexpectedOrdersAreFound() {
        #expect(differences(["A": .unknown], [order("A"), order("B")]) == [.unresolved("A"), .unexpected("B")])
    }

    @Test func booksAreReadAsTheSandboxWritesThem() throws {
        let books: JSON = [
            ["merchant_reference": "A", "amount": 1, "charged": true, "charge_requests": 1, "voided": false],
            ["merchant_reference": "with } \" \\ { in it", "charged": false, "charge_requests": 12],
        ]
        #expect(
            try BooksReader.orders(in: books.encoded(), reference: "merchant_reference") == [
                order("A"), order("with } \" \\ { in it", isCharged: false, requests: 12),
            ])
        #expect(try BooksReader.orders(in: Array("[]".utf8), reference: "merchant_reference").isEmpty)
    }

    @Test(arguments: [
        "", "[", "{}", "[{]", "[1]", #"[{"merchant_reference":"A"}]"#, #"[{"merchant_reference":"A","charged":true"#,
        #"[{"merchant_reference":"A","charged":true,"charge_requests":1}x]"#,
        #"[{"merchant_reference":"A","charged":true,"charge_requests":1};{}]"#,
    ]) func anAnswerThatIsNotAnArrayOfOrdersIsNotTakenForBooks(text: String) {
        #expect(throws: BooksReader.Malformed.self) {
            try BooksReader.orders(in: Array(text.utf8), reference: "merchant_reference")
        }
    }

    @Test func onlyAnswersThatProveNoChargeCountAsNoCharge() {
        #expect(BooksAudit.Reported(.refused(status: 422, problem: "token-refused")) == .nothing)
        #expect(BooksAudit.Reported(.refused(status: 503, problem: "unavailable")) == .nothing)
        #expect(BooksAudit.Reported(.notSent(reason: "")) == .nothing)
        #expect(BooksAudit.Reported(.refused(status: 500, problem: "internal")) == .unknown)
        #expect(BooksAudit.Reported(.noAnswer(reason: "")) == .unknown)
        #expect(BooksAudit.Reported(.outcome(.uncertain)) == .unknown)
        #expect(BooksAudit.Reported(.unusable(reason: "")) == .unknown)
    }
}
