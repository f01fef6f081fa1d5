public import PayrelayPrimitives

/// What the customer has chosen in the payment sheet so far. A description of it shows nothing of the customer.
public struct SheetSelection: Sendable, Hashable, Redacted {
    /// What the customer chooses in the sheet.
    public enum Field: Sendable, Hashable, CaseIterable {
        /// The address to ship to.
        case shippingContact
        /// One of the request's `shippingMethods`.
        case shippingMethod
        /// The code, where the request has `supportsCouponCode`.
        case couponCode
        /// The card.
        case paymentMethod
    }

    /// What changed now.
    public internal(set) var changed: Field = .shippingContact
    /// Nil before iOS tells it.
    public internal(set) var shippingAddress: SheetAddress?
    /// The `identifier` of the shipping method; nil for the first, which iOS selects by itself.
    public internal(set) var shippingMethod: String?
    /// Nil or empty for none.
    public internal(set) var couponCode: String?
    /// Nil before iOS tells it.
    public internal(set) var paymentMethod: SheetPaymentMethod?

    public var description: String { "***" }
}

/// A shipping address as iOS tells it before the authorization: without the name and the street.
public struct SheetAddress: Sendable, Hashable, Redacted {
    /// ISO 3166-1, two letters; may be empty.
    public let countryCode: String
    /// State, province or emirate; may be empty.
    public let state: String
    /// May be empty.
    public let city: String
    /// In some countries without its last characters; may be empty.
    public let postalCode: String

    public var description: String { "***" }
}

/// The card in the sheet.
public struct SheetPaymentMethod: Sendable, Hashable {
    /// Apple's name of the network, such as `Visa`.
    public let network: String?
    /// `debit`, `credit`, `prepaid` or `store`.
    public let type: String?
}
