extension PostgresSession {
    /// R5: a commit is on the server's disk before it is reported, also where the server is configured otherwise: `synchronous_commit`
    /// of `off` becomes `on` for the session, every other value stays.
    static let durableCommits = """
        SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
            WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false);
        """
}
