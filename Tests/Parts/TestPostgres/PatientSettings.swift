public import PostgresDriver

extension PostgresSettings {
    /// Settings for a machine that is busy with other tests, with enough time for every statement that ends.
    public static var patient: PostgresSettings {
        var settings = PostgresSettings()
        settings.connectTimeout = .seconds(3_600)
        settings.statementTimeout = .seconds(3_600)
        settings.waitTimeout = .seconds(3_600)
        return settings
    }
}
