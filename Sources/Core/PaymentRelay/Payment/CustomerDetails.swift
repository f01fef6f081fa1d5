import ApplePayToken
public import PayrelayPrimitives

/// Who pays, and with which card, according to the order and the token. For an external payment, the details come
/// from the gateway's answer.
///
/// Nothing proves the details: they are for people and for search, and nothing is decided by them. They are kept
/// because an answer to a query rarely has them. They are erased with the customer's data.
public struct CustomerDetails: Sendable, Equatable {
    public let email: String?
    public let name: String?
    public let phoneNumber: String?
    /// The card as the customer's phone shows it: `Visa 0492`. Its digits are the physical card's. A gateway may
    /// instead answer the digits of the number that represents the card on this phone.
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

    /// Returns the details, with the missing ones taken from another source.
    public func completed(by other: CustomerDetails) -> CustomerDetails {
        CustomerDetails(
            email: email ?? other.email, name: name ?? other.name, phoneNumber: phoneNumber ?? other.phoneNumber,
            cardDisplayName: cardDisplayName ?? other.cardDisplayName, cardNetwork: cardNetwork ?? other.cardNetwork)
    }

    /// The digits that the customer sees on the card; `nil` if the card's display name does not end in four digits.
    public var cardLastFour: String? { cardDisplayName?.lastFourDigits }

    public var isEmpty: Bool { self == CustomerDetails() }
}

/// The details as journals and answers to clients have them.
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

    /// Returns the text by which ``json`` has a card's network, in lower case; see ``AnsweredText/members``.
    public static func member(cardNetwork network: String) -> String {
        AnsweredText.member("card_network", network)
    }

    /// Reads details. Members that are not text are left out.
    public init(json: JSONObject) {
        self.init(
            email: json["customer_email"]?.stringValue, name: json["customer_name"]?.stringValue,
            phoneNumber: json["phone_number"]?.stringValue, cardDisplayName: json["card_display_name"]?.stringValue,
            cardNetwork: json["card_network"]?.stringValue)
    }
}

extension String {
    /// The text, bounded because it is written to a column; `nil` if it is empty.
    fileprivate var detail: String? { isEmpty ? nil : storable(upTo: 254) }

    /// The last four digits; `nil` if the text does not end in four digits.
    var lastFourDigits: String? {
        let end = utf8.suffix(4)
        guard end.count == 4, end.allSatisfy(\.isASCIIDigit) else { return nil }
        return String(decoding: end, as: UTF8.self)
    }
}
