import Foundation
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Testing

@Suite struct HistoryExcerptTests {
    private func history(_ count: Int) -> [HistoryEntry] {
        (0..<count).map {
            var entry = HistoryEntry(at: Date(timeIntervalSince1970: Double($0)), state: .captured)
            entry.number = $0 + 1
            return entry
        }
    }

    @Test("S14: a long history is shown by its first and its newest entries, and says how many there are between")
    func showsTheFirstAndTheNewest() {
        for count in [0, 1, 99, 100] {
            let excerpt = HistoryExcerpt(of: history(count))
            #expect(excerpt.entries.count == count && excerpt.omitted == 0)
        }
        let excerpt = HistoryExcerpt(of: history(350))
        #expect(excerpt.omitted == 250)
        #expect(excerpt.entries.map(\.number) == Array(1...20) + Array(271...350))
    }
}
