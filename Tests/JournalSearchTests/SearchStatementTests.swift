import Foundation
import JournalSearch
import PaymentRelay
import PayrelayPrimitives
import Testing

@Suite struct SearchStatementTests {
    /// A database that keeps what it is asked.
    private actor Asked: SearchableDatabase {
        static let dialect = SearchDialect(
            columns: "*", referenceBytes: "merchant_reference", referenceIndex: "r", openIndex: "o",
            bounds: SearchBounds(entries: 50_000, payments: 5_000), parameter: { "?\($0)" },
            index: { "INDEXED BY \($0)" }, places: { "SELECT * FROM search_key WHERE digest = \($0.digest) AND \($1)" },
            hasKey: { "EXISTS (SELECT 1 FROM search_key WHERE digest = \($0.digest))" })
        private(set) var statements: [SearchStatement] = []
        let counted: Int

        init(counting counted: Int) { self.counted = counted }

        func payments(_ statement: SearchStatement) -> [FoundPayment] {
            statements.append(statement)
            return []
        }

        func count(_ statement: SearchStatement) -> Int {
            statements.append(statement)
            return counted
        }

        func place(_ statement: SearchStatement) -> PaymentCursor? {
            statements.append(statement)
            return PaymentCursor(at: .distantPast, merchantReference: "end")
        }
    }

    @Test(arguments: [0, 100_000], [false, true])
    func putsNoTextOfAClientIntoSQL(counted: Int, seesMadeElsewhere: Bool) async throws {
        let attack = "'; DROP TABLE payment; --"
        var query = PaymentQuery(
            visibleTo: .payments(VisiblePayments(of: attack, includingMadeElsewhere: seesMadeElsewhere)))
        query.merchantReferencePrefix = attack
        query.currency = attack
        query.account = attack
        if !seesMadeElsewhere { query.client = attack }
        query.keys = [.customerEmail(attack)]
        query.after = PaymentCursor(at: .distantPast, merchantReference: attack)
        let database = Asked(counting: counted)
        _ = try await database.page(of: query)
        let statements = await database.statements
        #expect(!statements.isEmpty)
        for statement in statements {
            #expect(!statement.sql.contains("DROP"))
            #expect(statement.texts.allSatisfy { $0.contains("DROP") })
        }
    }

    /// S7: the shortest way to a payment does not go past the others.
    @Test(arguments: [false, true]) func keepsEveryFilterBesideAnExactReference(seesMadeElsewhere: Bool) async throws {
        var query = PaymentQuery(
            visibleTo: .payments(VisiblePayments(of: "shop", includingMadeElsewhere: seesMadeElsewhere)))
        query.merchantReference = "A"
        let database = Asked(counting: 1)
        _ = try await database.page(of: query)
        for statement in await database.statements where statement.sql.contains("AS payment") {
            #expect(statement.sql.contains("client = ") && statement.texts.contains("shop"))
        }
    }

    @Test func asksNothingForAnotherClientsPayments() async throws {
        var query = PaymentQuery(visibleTo: .payments(VisiblePayments(of: "shop")))
        query.client = "other"
        let database = Asked(counting: 1)
        let page = try await database.page(of: query)
        #expect(page.payments.isEmpty && page.next == nil)
        #expect(await database.statements.isEmpty)
    }

    /// Whatever is looked for, a page takes a bounded number of statements, each over a bounded number of rows.
    @Test func looksAtABoundedNumberOfPaymentsForAPage() async throws {
        var query = PaymentQuery()
        query.merchantReferencePrefix = "A"
        query.amounts = 1...100
        query.outcome = .declined
        query.command = .authorization
        query.needsAttention = true
        let database = Asked(counting: 100_000)
        let page = try await database.page(of: query)
        #expect(page.payments.isEmpty && page.next?.merchantReference == "end")
        let statements = await database.statements
        #expect(statements.count <= 10)
        #expect(statements.allSatisfy { $0.sql.contains("LIMIT") })
    }
}
