/// A table of values with text keys and a maximum size. When the table is full, a new value replaces the oldest.
struct BoundedTable<Value> {
    private let limit: Int
    private var values: [String: (value: Value, number: Int)] = [:]
    /// The keys in the order of their arrival, including keys whose value was removed.
    private var arrivals: [(key: String, number: Int)] = []
    private var first = 0
    private var count = 0

    /// - Parameter limit: the maximum number of values, at least one.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    var size: Int { values.count }

    subscript(key: String) -> Value? {
        get { values[key]?.value }
        set {
            guard let newValue else {
                values[key] = nil
                return
            }
            if let number = values[key]?.number {
                values[key] = (newValue, number)
                return
            }
            makeRoom()
            count += 1
            values[key] = (newValue, count)
            arrivals.append((key, count))
        }
    }

    private mutating func makeRoom() {
        while values.count >= limit, first < arrivals.count {
            let (key, number) = arrivals[first]
            if values[key]?.number == number { values[key] = nil }
            first += 1
        }
        // Keys whose values were removed, and keys before `first`, need memory too.
        if arrivals.count > 2 * limit + 16 {
            arrivals = arrivals[first...].filter { values[$0.key]?.number == $0.number }
            first = 0
        }
    }
}
