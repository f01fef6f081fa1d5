public import PostgresDriver

extension PostgresSettings {
    /// For a machine that is busy with other tests: time enough for whatever comes to an end.
    public static var patient: PostgresSettings {
        var settings = PostgresSettings()
        settings.connectTimeout = .seconds(3_600)
        settings.statementTimeout = .seconds(3_600)
        settings.waitTimeout = .seconds(3_600)
        return settings
    }
}
