extension MemoryJournal {
    public func record(_ query: QueryWithoutChange, of merchantReference: String) {
        guard var entry = entries[merchantReference], entry.history.contains(where: { $0.number == query.afterEntry })
        else {
            return
        }
        if let place = entry.queries.firstIndex(where: { $0.afterEntry == query.afterEntry && $0.asker == query.asker })
        {
            entry.queries[place] = entry.queries[place].adding(query)
        } else {
            entry.queries.append(query)
            let others = entry.queries.indices.filter { entry.queries[$0].afterEntry == query.afterEntry }
            if others.count > QueryWithoutChange.askersKept,
                let longestAgo = others.min(by: { entry.queries[$0].last < entry.queries[$1].last })
            {
                entry.queries.remove(at: longestAgo)
            }
        }
        entries[merchantReference] = entry
    }

    public func queriesWithoutChange(of merchantReference: String) -> [QueryWithoutChange] {
        (entries[merchantReference]?.queries ?? []).sorted {
            ($0.afterEntry, $0.first, $0.asker.text) < ($1.afterEntry, $1.first, $1.asker.text)
        }
    }
}
