extension PostgresSession {
    /// R5: makes the server report a commit only when it is on the server's disk, even if the server is configured
    /// otherwise. For the session, a `synchronous_commit` of `off` becomes `on`; every other value stays.
    static let durableCommits = """
        SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
            WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false);
        """
}
