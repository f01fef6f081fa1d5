/// A gateway of the sandbox. A relay can have an account at each.
enum TestedGateway: CaseIterable {
    case fort, portmone

    /// The currency of the gateway's orders: Portmone's sandbox account takes only this one, and FORT's takes any.
    var currency: String { self == .fort ? "AED" : "UAH" }

    /// The path of the gateway's books, below the sandbox's address.
    var booksPath: String { self == .fort ? "/_sandbox/orders" : "/_sandbox/portmone/bills" }

    /// The member of an entry in the books that has the order's reference.
    var referenceInBooks: String { self == .fort ? "merchant_reference" : "shop_order_number" }
}
