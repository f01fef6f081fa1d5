import FoundationEssentials

/// The SDK tokens that the sandbox has issued and that were not used yet. Each lives for an hour and pays one transaction
/// (mobile SDK guide).
struct SandboxSdkTokens {
    /// What a token was issued for.
    struct Issue: Equatable {
        let accessCode: String
        let deviceID: String
        let issuedAt: Date
    }

    private let limit: Int
    private var issues: [String: Issue] = [:]
    /// The tokens in the order of their issue, used ones among them until they come first.
    private var order: [String] = []

    /// In seconds.
    static let lifetime = 3_600.0

    /// - Parameter limit: how many are remembered. Where there are more the oldest is forgotten, as if it had expired.
    init(limit: Int = 100_000) {
        self.limit = limit
    }

    mutating func issue(_ token: String, _ issue: Issue) {
        issues[token] = issue
        order.append(token)
        guard order.count > limit else { return }
        // In one go for many, for what is left has to move up.
        let forgotten = order.prefix(order.count - limit / 2 - limit / 4)
        for token in forgotten { issues[token] = nil }
        order.removeFirst(forgotten.count)
    }

    /// What a token was issued for; nil where it is none, is used or has expired.
    func issue(of token: String, at moment: Date) -> Issue? {
        issues[token].flatMap { moment.timeIntervalSince($0.issuedAt) < Self.lifetime ? $0 : nil }
    }

    /// Uses a token up.
    mutating func use(_ token: String) { issues[token] = nil }
}
