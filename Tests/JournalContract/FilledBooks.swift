import Foundation
public import PaymentRelay
import Testing

/// What a migration makes of the histories that its test wrote: A was captured in two parts and refunded in part, B
/// voided, C made elsewhere and then claimed for another account, D written by a version that left the balance to the
/// state, and no entry of E can be true.
public func expectFilledBooks(of journal: any Journal) async throws {
    var listed: [String] = []
    let page = try await journal.movements(
        until: .wholeSecond + 60, after: MovementCursor(start: .wholeSecond), limit: 99)
    for row in page.movements {
        let seconds = Int(row.at.timeIntervalSince(.wholeSecond))
        listed.append("\(row.merchantReference) \(seconds) \(row.movement.kind) \(row.movement.amount)")
        #expect(row.account == "one" && row.currency == "AED")
    }
    #expect(
        listed.sorted() == [
            "A 1 charged 3", "A 2 charged 4", "A 4 refunded 2", "B 1 voided 7", "C 2 charged 7", "D 0 charged 7",
            "D 1 refunded 7",
        ])
}
