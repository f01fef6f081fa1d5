package import PayrelayPrimitives

/// The pages and texts that a gateway's module adds to the console.
public struct GatewayPages: Sendable {
    /// The same as ``Gateway/name``.
    let gateway: String
    let screens: [Screen]
    let menu: [(title: String, path: String)]
    /// The Mustache templates, by the names that the pages of ``screens`` use.
    let templates: [(name: String, source: [UInt8])]
    /// Returns the explanation of an answer as parts of a payment's page: `code` with its `link`, `status`,
    /// `explanation`, `advice` and `acquirer`; and `happened`, `customer` and `customerArabic`, which are
    /// sentences for the customer.
    let explain: @Sendable (_ receipt: JSONObject, _ isOpen: Bool) -> [String: View]
    /// Returns the page for a text in the search box, such as a code; `nil` if there is no such page.
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
