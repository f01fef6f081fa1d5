/// A gateway of the sandbox's. A relay can have an account at each.
enum TestedGateway: CaseIterable {
    case fort, portmone

    /// The currency of its orders: that of the sandbox's account of Portmone's, or any other.
    var currency: String { self == .fort ? "AED" : "UAH" }

    /// Where its books are, below the sandbox's address.
    var booksPath: String { self == .fort ? "/_sandbox/orders" : "/_sandbox/portmone/bills" }

    /// The member of an entry in its books that has the order's reference.
    var referenceInBooks: String { self == .fort ? "merchant_reference" : "shop_order_number" }
}
