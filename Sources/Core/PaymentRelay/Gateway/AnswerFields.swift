/// One field of a gateway's answers: its name, who sees it, and whether it tells of the customer.
public struct AnswerField: Sendable, Equatable {
    /// Who finds it at the top of a receipt. All that was answered is under `processor_response`, which a phone does not get.
    public enum Audience: Sendable {
        /// Clients, and a phone that has an order token.
        case phone
        case client
    }

    /// Decides what becomes of it when the customer's data is erased.
    public enum Content: Sendable {
        /// The money's history: it stays.
        case payment
        /// The card, and what charges it again: erased.
        case card
        /// The customer's identity: erased, and in no event.
        case customer
    }

    public let name: String
    /// Nil where it stands under `processor_response` alone.
    public let audience: Audience?
    public let content: Content
    /// Whether lists and CSV show it.
    public let isListed: Bool
    /// For people; nil where no page shows it by itself.
    public let title: String?

    public init(
        _ name: String, for audience: Audience? = nil, about content: Content = .payment, isListed: Bool = false,
        title: String? = nil
    ) {
        self.name = name
        // What tells who the customer is stands in no event, and an event is made of what stands at the top.
        self.audience = content == .customer ? nil : audience
        self.content = content
        self.isListed = isListed && self.audience != nil
        self.title = title
    }
}

/// The fields of a gateway's answers, each listed once: receipts, what a phone gets of them, lists, CSV, the console, search and the
/// erasure of the customer's data follow from it. A field that is not described is for clients and operators alone, under
/// `processor_response`, and is erased as the customer's.
///
///     AnswerFields(
///         [
///             AnswerField("bill", for: .phone, isListed: true, title: "Bill"),
///             AnswerField("card", for: .phone, about: .card, isListed: true, title: "Card"),
///             AnswerField("mail", about: .customer, title: "Email"),
///         ], reference: "bill", cardNumber: "card", customerEmail: "mail")
public struct AnswerFields: Sendable {
    public let all: [AnswerField]
    /// The gateway's own number of the payment: searched as ``Payment/gatewayReference``.
    public let reference: String?
    /// A number whose last four digits are searched.
    public let cardNumber: String?
    /// Name of the field with what the card is: `VISA`. An answer that says nothing of the card leaves it, and the number, as they were.
    public let network: String?
    /// Names of listed fields: the code of the answer, and the bank's of the authorization.
    public let responseCode: String?
    public let authorizationCode: String?
    /// Searched by its digest.
    public let customerEmail: String?
    public let customerName: String?
    public let phoneNumber: String?
    /// Name of the field with the answer's message for people, which lists show.
    public let message: String?
    /// Members of an answer that are masked where a person is shown the whole of it.
    public let credentials: Set<String>
    /// The names of those at the top of a receipt, in their order.
    let atTop: [String]
    /// Those of them that a phone gets.
    public let phone: Set<String>
    /// Those of them that lists and CSV show, in their order.
    public let listed: [String]
    /// Those of them that tell with what was paid.
    let card: [String]
    /// Those that stay when the customer's data is erased.
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

/// The ``AnswerFields`` of every gateway, by its name.
public struct AnswerVocabulary: Sendable {
    private let gateways: [(name: String, fields: AnswerFields)]

    public init(_ gateways: [(name: String, fields: AnswerFields)] = []) {
        self.gateways = gateways
    }

    /// Of a gateway that is not known: none.
    public subscript(gateway: String) -> AnswerFields {
        gateways.first { $0.name == gateway }?.fields ?? Self.none
    }

    private static let none = AnswerFields()

    /// The names that lists and CSV show, each once.
    public var listed: [String] {
        var named: Set<String> = []
        return gateways.flatMap(\.fields.listed).filter { named.insert($0).inserted }
    }

    /// The names that a gateway's own number of a payment has, each once.
    public var references: Set<String> { names(\.reference) }

    /// The names that a field has at the gateways that have it.
    public func names(_ field: KeyPath<AnswerFields, String?>) -> Set<String> {
        Set(gateways.compactMap { $0.fields[keyPath: field] })
    }
}
