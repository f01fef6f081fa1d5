import PayrelayPrimitives

/// The addresses of the console's pages that have a query.
package enum Links {
    package static let start = "/console"
    package static let login = "/console/login"

    package static func payment(_ reference: String) -> String { "/console/payment?reference=\(encoded(reference))" }

    static func customer(_ email: String) -> String { customer(email, "") }

    /// Returns the address of a page about a customer.
    ///
    /// - Parameter path: the path of a page about the customer, relative to the customer's page.
    static func customer(_ email: String, _ path: String) -> String {
        "/console/customer\(path)?email=\(encoded(email))"
    }

    /// Returns the page of the payment or the customer that the query names.
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

    /// Returns the address of an operation's form that belongs to the given version of the payment.
    package static func operation(_ name: String, _ reference: String, seen version: Int) -> String {
        operation(name, reference) + "&seen=\(version)"
    }

    /// Returns the address of the login page, with the page that follows the login.
    package static func login(then path: String) -> String {
        path == start ? login : "\(login)?then=\(encoded(path))"
    }

    /// Returns the text if it is the path of a page of the console; `nil` otherwise. A login must not redirect
    /// anywhere else.
    static func ownPath(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 512, text == start || text.begins(with: "/console/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }), !text.has("//")
        else { return nil }
        return text
    }

    package static func encoded(_ text: String) -> String { PercentEncoding.encoded(text) }
}
