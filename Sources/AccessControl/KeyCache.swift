import FoundationEssentials

/// What is known of a JWK Set elsewhere, and when to ask for it again. Decides, and asks nobody itself.
struct KeyCache {
    enum Step {
        /// - Parameter isAging: it is time to ask again, while the key is used.
        case take(JWTKey, isAging: Bool)
        case ask
        case refuse(JWTError)
    }

    /// After this the set is asked for anew, so that a key that was taken out of it ends.
    static let refreshAfter: TimeInterval = 600
    /// When nobody has answered for this long, the keys are no longer believed.
    static let forgetAfter: TimeInterval = 86_400
    /// Tokens with invented keys cannot make it ask more often.
    static let askEvery: TimeInterval = 10

    private var keys: [JWTKey] = []
    private var fetchedAt: Date?
    private var askedAt: Date?

    func step(toward identifier: String?, at now: Date) -> Step {
        let mayAsk = askedAt.map { now >= $0 + Self.askEvery } ?? true
        let age = fetchedAt.map { now.timeIntervalSince($0) }
        let isKnown = age.map { $0 < Self.forgetAfter } ?? false
        if isKnown, let age, let key = keys.first(where: { $0.identifier == identifier }) {
            return .take(key, isAging: age >= Self.refreshAfter && mayAsk)
        }
        if mayAsk { return .ask }
        return .refuse(isKnown ? .unknownKey : .keysUnavailable)
    }

    mutating func asked(at now: Date) {
        askedAt = now
    }

    mutating func fetched(_ keys: [JWTKey], at now: Date) {
        self.keys = keys
        fetchedAt = now
    }
}
