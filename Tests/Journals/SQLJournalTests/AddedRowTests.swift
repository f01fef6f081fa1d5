import PaymentRelay
import Testing

@testable import SQLJournal

@Suite struct AddedRowTests {
    @Test("SQLite adds each row by itself: to undo the rows of a query it would keep the pages that they change")
    func addsEachRowByItself() {
        let kinds = [true, false].flatMap { isWhole in
            (0...3).map {
                UpdateKind(
                    isWhole: isWhole, hasEvent: true, query: isWhole ? .begins : .ends,
                    keyChange: isWhole ? .taken("k", operation: "o") : nil, movements: $0)
            }
        }
        let claims = [true, false].flatMap { hasKey in
            (0...3).map { Statement.insert(isOpen: true, hasEvent: true, movements: $0, hasKey: hasKey) }
        }
        let added = (claims + kinds.map { Statement.update($0) }).flatMap { [$0.first] + $0.others }
            .map { Dialect.sqlite.written($0) }.filter { $0.hasPrefix("INSERT") }
        // The payment of each claim; the entry, the movements and the delivery of each; the keys of half of the claims and of the updates; the
        // query of each claim and of half of the updates.
        #expect(added.count == 8 + (16 + 24 + 16) + 8 + (8 + 4))
        for sql in added {
            #expect(sql.contains(")\nVALUES (") && !sql.contains("changed") && !sql.contains("\nSELECT"))
            #expect(sql.filter { $0 == "(" }.count == sql.filter { $0 == ")" }.count)
        }
    }
}
