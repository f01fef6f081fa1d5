import Synchronization

/// The series of one metric, by their labels, each made when it is first used. The lock is held for the look-up alone; what is
/// counted is counted in atomics.
final class MetricSeries<Labels: MetricLabels, Series: Sendable>: Sendable {
    private let series = Mutex<[Labels: Series]>([:])
    private let make: @Sendable () -> Series

    init(_ make: @escaping @Sendable () -> Series) {
        self.make = make
    }

    subscript(labels: Labels) -> Series {
        series.withLock { series in
            if let known = series[labels] { return known }
            let new = make()
            series[labels] = new
            return new
        }
    }

    /// In the order of their labels, so that two texts can be compared.
    var all: [(labels: Labels, series: Series)] {
        series.withLock { $0 }.map { ($0, $1) }.sorted { $0.labels.values.lexicographicallyPrecedes($1.labels.values) }
    }
}

/// A number that many add to at once.
final class AtomicCount: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ count: Int) { number.wrappingAdd(count, ordering: .relaxed) }
}
