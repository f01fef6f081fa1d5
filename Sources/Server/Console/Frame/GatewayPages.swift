package import PayrelayPrimitives

/// The pages and texts that a gateway's module adds to the console.
public struct GatewayPages: Sendable {
    /// As ``Gateway/name``.
    let gateway: String
    let screens: [Screen]
    let menu: [(title: String, path: String)]
    /// Mustache, by the names that its screens' pages have.
    let templates: [(name: String, source: [UInt8])]
    /// Explains an answer, as parts of a payment's page: `code` and its `link`, `status`, `explanation`, `advice`,
    /// `acquirer`, and `happened`, `customer`, `customerArabic` to tell a person.
    let explain: @Sendable (_ receipt: JSONObject, _ isOpen: Bool) -> [String: View]
    /// The page named by a text in the search box, such as a code; nil if there is no such page.
    let page: @Sendable (_ text: String) -> (name: String, path: String)?

    package init(
        gateway: String, screens: [Screen] = [], menu: [(title: String, path: String)] = [],
        templates: [(name: String, source: [UInt8])] = [],
        explain: @escaping @Sendable (_ receipt: JSONObject, _ isOpen: Bool) -> [String: View] = { _, _ in [:] },
        page: @escaping @Sendable (_ text: String) -> (name: String, path: String)? = { _ in nil }
    ) {
        self.gateway = gateway
        self.screens = screens
        self.menu = menu
        self.templates = templates
        self.explain = explain
        self.page = page
    }
}
