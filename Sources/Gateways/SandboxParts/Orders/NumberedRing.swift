/// The latest entries of books, by number. Numbers ascend from 0; beyond the limit a new entry takes the oldest one's place.
///
/// Books are bounded, because load tests run for weeks.
package struct NumberedRing<Entry: Sendable>: Sendable {
    private let limit: Int
    /// Entry number `n` stands at `n % limit`.
    private var entries: [Entry] = []
    /// How many entries there ever were; the next one's number.
    package private(set) var count = 0

    /// - Parameter limit: the most entries to keep, at least one.
    package init(limit: Int) {
        precondition(limit > 0, "the books hold at least one entry")
        self.limit = limit
    }

    /// The numbers of the entries that are kept.
    package var numbers: Range<Int> { (count - entries.count)..<count }

    /// The entries among these numbers that are kept, ascending.
    package func entries(in numbers: Range<Int>) -> [Entry] {
        numbers.clamped(to: self.numbers).map { entries[$0 % limit] }
    }

    /// - Parameter number: of an entry that is kept.
    package subscript(number: Int) -> Entry {
        get { entries[number % limit] }
        set { entries[number % limit] = newValue }
    }

    /// Enters one under the number ``count``.
    ///
    /// - Returns: the entry that is no longer kept, if any.
    package mutating func append(_ entry: Entry) -> Entry? {
        defer { count += 1 }
        guard entries.count == limit else {
            entries.append(entry)
            return nil
        }
        let forgotten = entries[count % limit]
        entries[count % limit] = entry
        return forgotten
    }
}
