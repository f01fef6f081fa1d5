import Console
import Settings

extension ConfigurationReport {
    /// The report in the form of the console's page.
    var forConsole: [ConfigurationGroup] {
        groups.map { group in
            ConfigurationGroup(
                title: group.title,
                rows: group.rows.map { row in
                    .init(
                        key: row.setting.key, environmentName: row.setting.environmentName, value: row.shown,
                        source: "\(row.source)", isDefault: row.source == .standard, summary: row.setting.summary)
                })
        }
    }
}
