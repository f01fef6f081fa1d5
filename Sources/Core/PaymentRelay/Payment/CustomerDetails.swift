import ApplePayToken
public import PayrelayPrimitives

/// Who pays, and with which card, as the order and the token say it; of a payment that was made elsewhere, as an answer does.
///
/// Nothing proves it: it is for people and for search, and nothing is decided by it. An answer to a query rarely has it, so that a payment
/// that a query settles would otherwise lose it. Erased with the customer's data.
public struct CustomerDetails: Sendable, Equatable {
    public let email: String?
    public let name: String?
    public let phoneNumber: String?
    /// The card as the customer's phone names it: `Visa 0492`. Its digits are the card's own; those that a gateway answers may be those
    /// of the number that stands for the card on this phone.
    public let cardDisplayName: String?
    /// For example `Visa`.
    public let cardNetwork: String?

    public init(
        email: String? = nil, name: String? = nil, phoneNumber: String? = nil, cardDisplayName: String? = nil,
        cardNetwork: String? = nil
    ) {
        self.email = email?.detail
        self.name = name?.detail
        self.phoneNumber = phoneNumber?.detail
        self.cardDisplayName = cardDisplayName?.detail
        self.cardNetwork = cardNetwork?.detail
    }

    init(of order: Order, token: PaymentToken?) {
        self.init(
            email: order.customerEmail, name: order.fields["customer_name"],
            phoneNumber: order.fields["phone_number"], cardDisplayName: token?.paymentMethod?.displayName,
            cardNetwork: token?.paymentMethod?.network)
    }

    /// With what another source says where this one says nothing.
    public func completed(by other: CustomerDetails) -> CustomerDetails {
        CustomerDetails(
            email: email ?? other.email, name: name ?? other.name, phoneNumber: phoneNumber ?? other.phoneNumber,
            cardDisplayName: cardDisplayName ?? other.cardDisplayName, cardNetwork: cardNetwork ?? other.cardNetwork)
    }

    /// The digits that the customer sees on the card; nil where its name does not end in four of them.
    public var cardLastFour: String? { cardDisplayName?.lastFourDigits }

    public var isEmpty: Bool { self == CustomerDetails() }
}

/// How journals and answers to clients have it.
extension CustomerDetails {
    public var json: JSONObject {
        var json = JSONObject()
        json["customer_email"] = email.map { .string($0) }
        json["customer_name"] = name.map { .string($0) }
        json["phone_number"] = phoneNumber.map { .string($0) }
        json["card_display_name"] = cardDisplayName.map { .string($0) }
        json["card_network"] = cardNetwork.map { .string($0) }
        return json
    }

    /// How ``json`` has a card's network, in lower case; see ``AnsweredText/members``.
    public static func member(cardNetwork network: String) -> String {
        AnsweredText.member("card_network", network)
    }

    /// What is no text is left out.
    public init(json: JSONObject) {
        self.init(
            email: json["customer_email"]?.stringValue, name: json["customer_name"]?.stringValue,
            phoneNumber: json["phone_number"]?.stringValue, cardDisplayName: json["card_display_name"]?.stringValue,
            cardNetwork: json["card_network"]?.stringValue)
    }
}

extension String {
    /// Bounded, because a column is written with it; nil where it is empty.
    fileprivate var detail: String? { isEmpty ? nil : storable(upTo: 254) }

    /// Nil where it ends in anything but four digits.
    var lastFourDigits: String? {
        let end = utf8.suffix(4)
        guard end.count == 4, end.allSatisfy(\.isASCIIDigit) else { return nil }
        return String(decoding: end, as: UTF8.self)
    }
}
