/// How much a ``PostgresJournal`` may take, of connections and of time.
public struct PostgresSettings: Sendable {
    /// How many connections are opened at most. They are opened when they are needed.
    public var connections = 8
    /// How long opening a connection may take.
    public var connectTimeout = Duration.seconds(5)
    /// How long one statement may take, by the server's clock; when the server does not even say that it took too long,
    /// the connection is given up a second later.
    public var statementTimeout = Duration.seconds(5)
    /// How long a statement waits for a free connection. One that has waited longer fails when the next connection is
    /// free.
    public var waitTimeout = Duration.seconds(5)
    /// How many may wait for one.
    public var waitersAtMost = 4_096

    /// Whether tables of an older version are brought to this one. False for what works beside relays: they may be older still.
    public var changesOlderTables = true

    public init() {}
}
