import AccessControl
import HTTPTypes
import PaymentRelay

/// The settings for one purpose in the form that may be shown. They contain no secrets.
public struct ConfigurationGroup: Sendable {
    public struct Row: Sendable {
        let key: String
        let environmentName: String?
        let value: String
        let source: String
        let isDefault: Bool
        let summary: String

        /// - Parameter isDefault: whether the setting is not set, so that its default applies.
        public init(
            key: String, environmentName: String?, value: String, source: String, isDefault: Bool, summary: String
        ) {
            self.key = key
            self.environmentName = environmentName
            self.value = value
            self.source = source
            self.isDefault = isDefault
            self.summary = summary
        }
    }

    let title: String
    let rows: [Row]

    public init(title: String, rows: [Row]) {
        self.title = title
        self.rows = rows
    }
}

/// `GET /console/configuration`: the settings that the relay was started with, and the source of each.
struct ConfigurationScreen: Sendable {
    let groups: [ConfigurationGroup]

    var screen: Screen { Screen(.get, "/console/configuration", .look) { _ in .page(page) } }

    private var page: Page {
        Page(
            template: "configuration", title: "Configuration", menu: "Configuration",
            view: [
                "hasGroups": .flag(!groups.isEmpty),
                "groups": View(
                    groups.map { group in
                        ["title": .text(group.title), "rows": View(group.rows.map(view))]
                    }),
            ])
    }

    private func view(_ row: ConfigurationGroup.Row) -> View {
        [
            "key": .text(row.key), "environmentName": View(row.environmentName), "value": .text(row.value),
            "source": .text(row.source), "isSet": .flag(!row.isDefault), "summary": .text(row.summary),
        ]
    }
}
