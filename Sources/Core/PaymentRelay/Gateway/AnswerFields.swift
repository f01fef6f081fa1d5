/// A field of a gateway's answers: its name, who sees it, and whether it is about the customer.
public struct AnswerField: Sendable, Equatable {
    /// Who sees the field at the top level of a receipt. The whole answer is under `processor_response`, which a
    /// phone does not get.
    public enum Audience: Sendable {
        /// Clients, and a phone that has an order token.
        case phone
        case client
    }

    /// The content of the field, which decides whether it is erased with the customer's data.
    public enum Content: Sendable {
        /// The financial history, which stays.
        case payment
        /// The card, or a token that can charge the card again. Erased.
        case card
        /// The customer's identity. Erased, and never in an event.
        case customer
    }

    public let name: String
    /// Who sees the field at the top level; `nil` if it is only under `processor_response`.
    public let audience: Audience?
    public let content: Content
    /// Whether lists and CSV show it.
    public let isListed: Bool
    /// The field's name for people; `nil` if no page shows the field separately.
    public let title: String?

    public init(
        _ name: String, for audience: Audience? = nil, about content: Content = .payment, isListed: Bool = false,
        title: String? = nil
    ) {
        self.name = name
        // Events are made from the top level of receipts, and never contain the customer's identity.
        self.audience = content == .customer ? nil : audience
        self.content = content
        self.isListed = isListed && self.audience != nil
        self.title = title
    }
}

/// The fields of a gateway's answers, each listed once. Receipts, the receipts for phones, lists, CSV, the console,
/// search and the erasure of the customer's data are derived from this list. A field that is not listed is only for
/// clients and operators, under `processor_response`, and is erased as customer data.
///
///     AnswerFields(
///         [
///             AnswerField("bill", for: .phone, isListed: true, title: "Bill"),
///             AnswerField("card", for: .phone, about: .card, isListed: true, title: "Card"),
///             AnswerField("mail", about: .customer, title: "Email"),
///         ], reference: "bill", cardNumber: "card", customerEmail: "mail")
public struct AnswerFields: Sendable {
    public let all: [AnswerField]
    /// The field with the gateway's number of the payment, searched as ``Payment/gatewayReference``.
    public let reference: String?
    /// The field with the card's number, whose last four digits are searched.
    public let cardNumber: String?
    /// The field with the card's network: `VISA`. An answer without any data of the card leaves the known network
    /// and number as they were.
    public let network: String?
    /// Listed fields: the gateway's code of its answer, and the bank's code of the authorization.
    public let responseCode: String?
    public let authorizationCode: String?
    /// The field with the customer's email, which is searched by its digest.
    public let customerEmail: String?
    public let customerName: String?
    public let phoneNumber: String?
    /// Name of the field with the answer's message for people, which lists show.
    public let message: String?
    /// Members of an answer that are masked when the whole answer is shown to a person.
    public let credentials: Set<String>
    /// The names of the fields at the top level of a receipt, in their order.
    let atTop: [String]
    /// The top-level fields that a phone gets.
    public let phone: Set<String>
    /// The top-level fields that lists and CSV show, in their order.
    public let listed: [String]
    /// The listed fields that describe the card.
    let card: [String]
    /// The fields that stay when the customer's data is erased.
    let kept: Set<String>

    public init(
        _ all: [AnswerField] = [], reference: String? = nil, cardNumber: String? = nil, network: String? = nil,
        responseCode: String? = nil, authorizationCode: String? = nil,
        customerEmail: String? = nil, customerName: String? = nil, phoneNumber: String? = nil, message: String? = nil,
        credentials: Set<String> = []
    ) {
        self.all = all
        self.reference = reference
        self.cardNumber = cardNumber
        self.network = network
        self.responseCode = responseCode
        self.authorizationCode = authorizationCode
        self.customerEmail = customerEmail
        self.customerName = customerName
        self.phoneNumber = phoneNumber
        self.message = message
        self.credentials = credentials
        atTop = all.filter { $0.audience != nil }.map(\.name)
        phone = Set(all.filter { $0.audience == .phone }.map(\.name))
        listed = all.filter(\.isListed).map(\.name)
        card = listed.filter { $0 == cardNumber || $0 == network }
        kept = Set(all.filter { $0.content == .payment }.map(\.name))
    }
}

/// The ``AnswerFields`` of every gateway, by the gateway's name.
public struct AnswerVocabulary: Sendable {
    private let gateways: [(name: String, fields: AnswerFields)]

    public init(_ gateways: [(name: String, fields: AnswerFields)] = []) {
        self.gateways = gateways
    }

    /// Returns a gateway's fields; none if the gateway is not known.
    public subscript(gateway: String) -> AnswerFields {
        gateways.first { $0.name == gateway }?.fields ?? Self.none
    }

    private static let none = AnswerFields()

    /// The names that lists and CSV show, each once.
    public var listed: [String] {
        var named: Set<String> = []
        return gateways.flatMap(\.fields.listed).filter { named.insert($0).inserted }
    }

    /// The names of the fields with a gateway's number of a payment, each once.
    public var references: Set<String> { names(\.reference) }

    /// Returns the names of a field at the gateways that have it.
    public func names(_ field: KeyPath<AnswerFields, String?>) -> Set<String> {
        Set(gateways.compactMap { $0.fields[keyPath: field] })
    }
}
