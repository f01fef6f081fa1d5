import PayrelayPrimitives

/// The addresses of pages that have something in their query.
package enum Links {
    package static let start = "/console"
    package static let login = "/console/login"

    package static func payment(_ reference: String) -> String { "/console/payment?reference=\(encoded(reference))" }

    static func customer(_ email: String) -> String { customer(email, "") }

    /// - Parameter path: of a page about the customer, below theirs.
    static func customer(_ email: String, _ path: String) -> String {
        "/console/customer\(path)?email=\(encoded(email))"
    }

    /// The page of the payment, or of the customer, that a request is about by its query.
    static func page(about query: FormBody) -> (name: String, path: String)? {
        query["reference"].map { ("the payment", payment($0)) } ?? query["email"].map { ("the customer", customer($0)) }
    }

    package static func payments(_ filters: [(name: String, value: String)]) -> String {
        list("/console/payments", filters)
    }

    static func list(_ path: String, _ filters: [(name: String, value: String)]) -> String {
        "\(path)?" + filters.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
    }

    package static func operation(_ name: String, _ reference: String) -> String {
        "/console/payment/\(name)?reference=\(encoded(reference))"
    }

    /// A form that was opened on this version of the payment.
    package static func operation(_ name: String, _ reference: String, seen version: Int) -> String {
        operation(name, reference) + "&seen=\(version)"
    }

    /// The login page that leads to a page of the console afterwards.
    package static func login(then path: String) -> String {
        path == start ? login : "\(login)?then=\(encoded(path))"
    }

    /// Nil where the text is no page of the console: a login must lead nowhere else.
    static func ownPath(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 512, text == start || text.begins(with: "/console/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }), !text.has("//")
        else { return nil }
        return text
    }

    package static func encoded(_ text: String) -> String { PercentEncoding.encoded(text) }
}
