import Testing

@testable import SQLJournal

@Suite struct AddedRowTests {
    @Test("SQLite adds each row by itself: to undo the rows of a query it would keep the pages that they change")
    func addsEachRowByItself() {
        let kinds = [true, false].flatMap { isWhole in
            (0...3).map {
                UpdateKind(isWhole: isWhole, hasEvent: true, freesTokenAndKey: false, movements: $0)
            }
        }
        let statements = (0...3).map { Statement.insert(movements: $0) } + kinds.map { Statement.update($0) }
        let added = statements.flatMap(\.others).map { Dialect.sqlite.written($0) }.filter { $0.hasPrefix("INSERT") }
        #expect(added.count == 30)
        for sql in added {
            #expect(sql.contains(")\nVALUES ($1, (SELECT version FROM payment WHERE merchant_reference = $1)"))
            #expect(!sql.contains("changed"))
        }
    }
}
