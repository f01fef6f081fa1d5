import Mustache

/// The templates of the pages, embedded in the binary.
struct Templates: Sendable {
    private let library: MustacheLibrary

    /// - Parameter further: the templates of the gateways' pages.
    /// - Throws: if a template is malformed, which a test would have found.
    init(_ further: [(name: String, source: [UInt8])] = []) throws {
        var library = MustacheLibrary()
        for (name, bytes) in Self.sources + further {
            try library.register(String(decoding: bytes, as: UTF8.self), named: name)
        }
        self.library = library
    }

    func render(_ name: String, _ view: View) -> [UInt8] {
        Array((library.render(view, withTemplate: name) ?? "").utf8)
    }

    private static let sources: [(String, [UInt8])] = [
        ("attention", PackageResources.attention_mustache),
        ("changes", PackageResources.changes_mustache),
        ("configuration", PackageResources.configuration_mustache),
        ("continue", PackageResources.continue_mustache),
        ("customer", PackageResources.customer_mustache),
        ("error", PackageResources.error_mustache),
        ("forget", PackageResources.forget_mustache),
        ("health", PackageResources.health_mustache),
        ("layout", PackageResources.layout_mustache),
        ("live", PackageResources.live_mustache),
        ("login", PackageResources.login_mustache),
        ("operation", PackageResources.operation_mustache),
        ("payment", PackageResources.payment_mustache),
        ("payments", PackageResources.payments_mustache),
        ("rows", PackageResources.rows_mustache),
        ("settlement", PackageResources.settlement_mustache),
        ("take", PackageResources.take_mustache),
        ("taking", PackageResources.taking_mustache),
        ("token", PackageResources.token_mustache),
        ("totals", PackageResources.totals_mustache),
    ]
}
