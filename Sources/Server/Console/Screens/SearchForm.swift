import FoundationEssentials
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// The search box and the filters of the list of payments, as the address encodes them.
struct SearchForm {
    let filters: ListFilters

    /// The fields of the form with their labels. Except for `q` and `zone`, the names are those of
    /// ``PaymentQuery/Parameter``.
    private static let fields = [
        ("q", "The search box"), ("outcome", "Outcome"), ("currency", "Currency"), ("amount", "Amount"),
        ("claimed_from", "From"), ("claimed_to", "Before"), ("changed_from", "Changed since"), ("zone", "Zone"),
        ("response_code", "Code"), ("card_network", "Card network"), ("account", "Account"), ("client", "Client"),
        ("command", "Command"), ("needs_attention", "Needs attention"), ("after", "The page"),
    ].map { (name: $0.0, label: $0.1) }

    /// The filters that are hidden until the operator opens them or uses one.
    private static let folded = [
        "response_code", "currency", "amount", "claimed_from", "claimed_to", "changed_from", "card_network", "account",
        "client",
    ]

    /// - Parameter zone: the operator's time zone. Times in an address without a zone are in UTC, for every
    ///   operator.
    init(_ query: FormBody, zone: ClockZone? = nil) {
        filters = ListFilters(
            query, fields: Self.fields, times: ["claimed_from", "claimed_to", "changed_from"], zone: zone)
    }

    private init(_ filters: ListFilters) {
        self.filters = filters
    }

    /// The text of the search box, if it is the only filter and can be a reference, which has no control
    /// characters.
    var soleText: String? {
        guard filters.filtering.count == 1, filters["after"] == nil, let text, text.utf8.allSatisfy({ $0 >= 0x20 })
        else {
            return nil
        }
        return text
    }

    /// The text of the search box, if any.
    var text: String? { filters["q"] }

    /// The email in the search box, if the text is one.
    var email: String? {
        guard case .parameter("customer_email", let email) = text.map(understood) else { return nil }
        return email
    }

    /// The code in the search box, if the text is one, or else the code in the filter.
    var code: String? {
        if case .parameter("response_code", let code) = text.map(understood) { return code }
        return filters["response_code"]
    }

    /// The other meanings of the search box's text, for the case that nothing was found. Each has the words of
    /// ``SearchText/others(_:)``.
    var others: [(form: SearchForm, word: String)] {
        guard let text, filters["after"] == nil, case .parameter(let name, _) = understood(text),
            ["merchant_reference_prefix", "processor_reference"].contains(name)
        else { return [] }
        return SearchText.others(text).map { other, word in
            (SearchForm(filters.with(other, as: "q")), word)
        }
    }

    func label(of field: String) -> String {
        if case .parameter(let name, _) = text.map(understood), field == name { return "The search box" }
        return filters.label(of: field)
    }

    /// Returns the query that the search box and the filters describe.
    ///
    /// - Throws: every filter that cannot be read.
    func query(knowing vocabulary: AnswerVocabulary) throws(ValidationErrors) -> PaymentQuery {
        var parameters = filters.filtering.filter {
            !["q", "amount", "currency", "claimed_from", "claimed_to", "changed_from"].contains($0.name)
        }
        if let after = filters["after"] { parameters.append(("after", after)) }
        var (amount, currency) = (filters["amount"], filters["currency"]?.uppercasedASCII)
        var cardNumber: AnsweredText?
        var times = try typedTimes.parameters()
        if let since = filters["changed_from"] {
            parameters.append(("changed_from", try typedTimes.moment(since, of: "changed_from")))
        }
        switch text.map(understood) {
        case nil: break
        case .parameter(let name, let value): parameters.append((name, value))
        case .amount(let number, let code):
            guard amount == nil, code == nil || currency == nil || code == currency else {
                throw ListFilters.error("q", "has another amount than the filters")
            }
            (amount, currency) = (number, code ?? currency)
        case .days(let days):
            guard times.isEmpty else { throw ListFilters.error("q", "has other days than the filters") }
            times = try typedTimes.parameters(of: days)
        case .card(let network, let digits):
            guard filters["card_network"] == nil || filters["card_network"]?.lowercasedASCII == network else {
                throw ListFilters.error("q", "has another card network than the filters")
            }
            parameters.removeAll { $0.name == "card_network" }
            parameters += [("card_last_four", digits), ("card_network", network)]
        case .maskedCard(let mask):
            parameters.append(("card_last_four", String(mask.suffix(4))))
            cardNumber = AnsweredText(mask, in: vocabulary.names(\.cardNumber))
        case .unknown(let detail): throw ListFilters.error("q", detail)
        }
        if let currency { parameters.append(("currency", currency)) }
        if let range = amount.flatMap(Self.range) {
            parameters += try Self.bounds(range, currency)
            amount = nil
        }
        var query = try PaymentQuery(parameters + times, visibleTo: .everything, knowing: vocabulary)
        query.cardNumber = cardNumber
        if let amount { query.amountInAnyCurrency = try decimal(amount) }
        return query
    }

    /// Parses a range such as `100-250`, `100 – 250` or `100..250`; either bound may be missing. Returns `nil`
    /// for a single amount.
    private static func range(_ amount: String) -> (from: String, to: String)? {
        let (from, to) = amount.replacingEach("..", with: "-").replacingEach("–", with: "-").cut(at: "-")
        return to.map { (String(from), String($0)) }
    }

    private static func bounds(
        _ range: (from: String, to: String), _ currency: String?
    ) throws(ValidationErrors) -> [(name: String, value: String)] {
        guard let currency = currency.flatMap({ Currency(code: $0) }) else {
            throw ListFilters.error("amount", "needs a currency if it is a range")
        }
        var bounds: [(name: String, amount: MinorUnits)] = []
        for (name, text) in [("amount_from", range.from), ("amount_to", range.to)] where !text.trimmed.isEmpty {
            guard let number = DecimalText.plain(text) else { throw ListFilters.error("amount", "is not a number") }
            do throws(AmountError) {
                bounds.append((name, try MinorUnits(decimal: number, currency)))
            } catch {
                throw ListFilters.error("amount", "\(error)")
            }
        }
        guard let first = bounds.first, let last = bounds.last else {
            throw ListFilters.error("amount", "is not a number")
        }
        guard first.amount <= last.amount else { throw ListFilters.error("amount", "ends before it begins") }
        return bounds.map { ($0.name, "\($0.amount)") }
    }

    private func decimal(_ amount: String) throws(ValidationErrors) -> AmountInAnyCurrency {
        guard let number = DecimalText.plain(amount) else { throw ListFilters.error("amount", "is not a number") }
        do throws(AmountError) {
            return try AmountInAnyCurrency(decimal: number)
        } catch {
            throw ListFilters.error("amount", "\(error)")
        }
    }

    private var typedTimes: TypedTimes {
        TypedTimes(from: filters["claimed_from"], to: filters["claimed_to"], zone: filters["zone"])
    }

    var zoneOrUTC: ClockZone { typedTimes.zoneOrUTC }

    /// The name of the list as a file: its filters and the day. Texts about the customer are left out, because
    /// file names are logged.
    var filename: String {
        let words = filters.filtering.map { name, value in
            guard name == "q" else { return name == "outcome" || name == "currency" ? value : "\(name)-\(value)" }
            return switch understood(value) {
            case .parameter("customer_email", _): "email"
            case .parameter("phone_number", _): "phone"
            case .parameter("customer_name", _): "name"
            case .maskedCard(let mask): "card-\(mask.suffix(4))"
            default: value
            }
        }
        return ConsoleAnswer.filename(["payments"] + words, on: typedTimes.today)
    }

    private func understood(_ text: String) -> SearchText {
        SearchText(text, today: typedTimes.today)
    }

    private var hasTimes: Bool {
        if case .days? = text.map(understood) { return true }
        return ["claimed_from", "claimed_to", "changed_from"].contains { filters[$0] != nil }
    }

    var view: [String: View] {
        var view = filters.view(hasTimes: hasTimes)
        view["isUnfolded"] = .flag(
            Self.folded.contains { filters[$0] != nil } || (filters["zone"] != nil && hasTimes && text == nil))
        view["isAttention"] = .flag(filters["needs_attention"] == "true")
        view["outcomes"] = View(
            PaymentState.allCases.map { state in
                [
                    "value": .text(state.rawValue), "label": .text(state.label),
                    "isChosen": .flag(filters["outcome"] == state.rawValue),
                ]
            })
        return view
    }
}
