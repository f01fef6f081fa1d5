/// The time by which a call to the gateway must end, however many exchanges it takes: the relay allows one
/// timeout for the whole call.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(in timeout: Duration) {
        end = .now + timeout
    }

    /// The time that is left; `nil` if none is left.
    var left: Duration? {
        let left = ContinuousClock.now.duration(to: end)
        return left > .zero ? left : nil
    }
}
