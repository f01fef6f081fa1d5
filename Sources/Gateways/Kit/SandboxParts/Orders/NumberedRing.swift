/// The latest entries of books, by number. Numbers ascend from 0. When the limit is reached, a new entry replaces
/// the oldest.
///
/// Books are bounded because load tests run for weeks.
package struct NumberedRing<Entry: Sendable>: Sendable {
    private let limit: Int
    /// The entry with number `n` is at index `n % limit`.
    private var entries: [Entry] = []
    /// The number of all entries so far, which is the number of the next entry.
    package private(set) var count = 0

    /// - Parameter limit: the maximum number of entries to keep, at least one.
    package init(limit: Int) {
        precondition(limit > 0, "the books hold at least one entry")
        self.limit = limit
    }

    /// The numbers of the kept entries.
    package var numbers: Range<Int> { (count - entries.count)..<count }

    /// Returns the kept entries with these numbers, ascending.
    package func entries(in numbers: Range<Int>) -> [Entry] {
        numbers.clamped(to: self.numbers).map { entries[$0 % limit] }
    }

    /// - Parameter number: the number of a kept entry.
    package subscript(number: Int) -> Entry {
        get { entries[number % limit] }
        set { entries[number % limit] = newValue }
    }

    /// Adds an entry under the number ``count``.
    ///
    /// - Returns: the entry that is no longer kept; `nil` if there is none.
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
