/// The limits of a ``PostgresDriver`` for connections and time.
public struct PostgresSettings: Sendable {
    /// The maximum number of connections. They are opened when they are needed.
    public var connections = 8
    /// The time limit for opening a connection.
    public var connectTimeout = Duration.seconds(5)
    /// The time limit for one statement, by the server's clock. If the server does not report that the limit has
    /// passed, the connection is given up a second later.
    public var statementTimeout = Duration.seconds(5)
    /// The maximum time for which a statement waits for a free connection. A statement that has waited longer fails
    /// when the next connection is free.
    public var waitTimeout = Duration.seconds(5)
    /// The maximum number of statements that wait for a connection.
    public var waitersAtMost = 4_096

    /// Whether to change tables of an older version. Commands that run beside relays set `false`, because the
    /// relays may still be of the older version.
    public var changesOlderTables = true

    public init() {}
}
