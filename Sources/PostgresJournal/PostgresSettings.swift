/// How much a ``PostgresJournal`` may take, of connections and of time.
public struct PostgresSettings: Sendable {
    /// How many connections are opened at most. They are opened when they are needed.
    public var connections = 8
    /// How long a connection may take to come about.
    public var connectTimeout = Duration.seconds(5)
    /// How long one statement may take, by the server's clock; when the server does not even say that it took too long,
    /// the connection is given up a second later.
    public var statementTimeout = Duration.seconds(5)
    /// How long to wait for a connection that is free. Who has waited longer is told so when the next one comes free.
    public var waitTimeout = Duration.seconds(5)
    /// How many may wait for one.
    public var waitersAtMost = 4_096

    public init() {}
}
