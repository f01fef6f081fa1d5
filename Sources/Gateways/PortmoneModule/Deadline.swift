/// When a call to the gateway must have ended, however many exchanges it takes: the relay reckons with one timeout.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(in timeout: Duration) {
        end = .now + timeout
    }

    /// Nil where nothing is left.
    var left: Duration? {
        let left = ContinuousClock.now.duration(to: end)
        return left > .zero ? left : nil
    }
}
