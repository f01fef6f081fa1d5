/// R5: a commit is on the server's disk before it is reported, also where the server is configured otherwise.
enum SynchronousCommit {
    /// Sets `synchronous_commit` for the session: `off` becomes `on`, every other value stays. As the session's own setting it
    /// does not change when the server reads its configuration again.
    static let script = """
        SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') \
        WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false);
        """
}
