/// How a run was made: what somebody needs who wants to repeat it.
public struct LoadSettings: Sendable {
    /// The address under load.
    public var target: String
    /// Whether relay and sandbox were started for the run, as processes of their own.
    public var ownServers: Bool
    /// Payments a second.
    public var rate: Double
    public var duration: Duration
    public var connections: Int
    /// Where the tokens came from: a folder; nil where they were minted.
    public var tokenFolder: String?
    /// How long it took to make the payments ready, before the clock started.
    public var preparation: Duration

    public init(
        target: String, ownServers: Bool, rate: Double, duration: Duration, connections: Int, tokenFolder: String?,
        preparation: Duration
    ) {
        self.target = target
        self.ownServers = ownServers
        self.rate = rate
        self.duration = duration
        self.connections = connections
        self.tokenFolder = tokenFolder
        self.preparation = preparation
    }

    /// Name and value, for people.
    var rows: [(String, String)] {
        [
            (
                "target",
                target + (ownServers ? " (started for this run, with a sandbox for its FORT and a SQLite journal)" : "")
            ),
            ("rate", "\(rate.text(decimals: rate.rounded() == rate ? 0 : 1)) payments/s, open loop"),
            ("duration", duration.text), ("connections", "at most \(connections)"),
            ("tokens", (tokenFolder.map { "from \($0)" } ?? "minted") + ", ready in \(preparation.text)"),
        ]
    }
}
