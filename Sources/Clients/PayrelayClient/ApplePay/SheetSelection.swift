public import PayrelayPrimitives

/// The customer's choices in the payment sheet so far. Its description shows nothing about the customer.
public struct SheetSelection: Sendable, Hashable, Redacted {
    /// A choice that the customer can make in the sheet.
    public enum Field: Sendable, Hashable, CaseIterable {
        /// The shipping address.
        case shippingContact
        /// One of the request's `shippingMethods`.
        case shippingMethod
        /// The coupon code, if the request has `supportsCouponCode`.
        case couponCode
        /// The card.
        case paymentMethod
    }

    /// The choice that was changed last.
    public internal(set) var changed: Field = .shippingContact
    /// `nil` until iOS reports it.
    public internal(set) var shippingAddress: SheetAddress?
    /// The `identifier` of the shipping method; `nil` for the first method, which iOS selects by default.
    public internal(set) var shippingMethod: String?
    /// The coupon code; `nil` or empty for none.
    public internal(set) var couponCode: String?
    /// `nil` until iOS reports it.
    public internal(set) var paymentMethod: SheetPaymentMethod?

    public var description: String { "***" }
}

/// A shipping address as iOS reports it before the authorization, without the name and the street.
public struct SheetAddress: Sendable, Hashable, Redacted {
    /// The ISO 3166-1 country code, two letters; may be empty.
    public let countryCode: String
    /// The state, province or emirate; may be empty.
    public let state: String
    /// The city; may be empty.
    public let city: String
    /// The postal code, in some countries without its last characters; may be empty.
    public let postalCode: String

    public var description: String { "***" }
}

/// The card in the sheet.
public struct SheetPaymentMethod: Sendable, Hashable {
    /// Apple's name of the network, such as `Visa`.
    public let network: String?
    /// The type of the card: `debit`, `credit`, `prepaid` or `store`.
    public let type: String?
}
