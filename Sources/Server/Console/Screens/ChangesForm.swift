import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// The filters of a list of changes, as the address encodes them.
struct ChangesForm {
    /// Whether only operators' changes are listed.
    let isAudit: Bool
    let filters: ListFilters

    private static let fields = [
        ("kind", "Kind"), ("operator", "Operator"), ("reference", "Payment"), ("account", "Account"), ("from", "From"),
        ("to", "Before"), ("zone", "Zone"), ("after", "The page"),
    ]

    /// A value of the filter `kind` that is not a ``ChangeKind``: the changes that operators made.
    private static let byOperators = "operator"

    /// - Parameter zone: the operator's time zone.
    init(_ query: FormBody, isAudit: Bool, zone: ClockZone? = nil) {
        self.isAudit = isAudit
        filters = ListFilters(
            query, fields: Self.fields.filter { isAudit || $0.0 != "operator" }.map { (name: $0.0, label: $0.1) },
            times: ["from", "to"], zone: zone)
    }

    var times: TypedTimes { TypedTimes(from: filters["from"], to: filters["to"], zone: filters["zone"]) }

    var filename: String {
        ConsoleAnswer.filename(
            [isAudit ? "audit" : "changes"] + filters.filtering.map { "\($0)-\($1)" }, on: times.today)
    }

    /// Returns the query that the filters describe.
    ///
    /// - Throws: the filters that cannot be read, by the names of the form's fields.
    func query() throws(ValidationErrors) -> ChangeQuery {
        var query = ChangeQuery()
        if isAudit { query.operators = .all }
        if let name = filters["operator"] {
            guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw ListFilters.error("operator", "must be an operator's name")
            }
            query.operators = .named(name)
        }
        switch filters["kind"] {
        case nil: break
        case Self.byOperators where !isAudit: query.operators = .all
        case let kind?:
            guard let known = ChangeKind(rawValue: kind) else {
                throw ListFilters.error("kind", "must be one of the list")
            }
            query.kind = known
        }
        if let reference = filters["reference"] {
            guard reference.utf8.count <= 255, reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw ListFilters.error("reference", "is not a merchant_reference")
            }
            query.merchantReference = reference
        }
        let read = try PaymentQuery(
            times.parameters() + (filters["account"].map { [("account", $0)] } ?? []), visibleTo: .everything,
            knowing: AnswerVocabulary())
        (query.account, query.from, query.to) = (read.account, read.claimedFrom, read.claimedTo)
        if let after = filters["after"] {
            guard let place = ChangeCursor(after) else { throw ListFilters.error("after", "is not one of this list") }
            query.after = place
        }
        return query
    }

    /// Returns the label of a field.
    ///
    /// - Parameter field: the name of a field in the form, or of the parameter of a search.
    func label(of field: String) -> String {
        filters.label(of: ["claimed_from": "from", "claimed_to": "to"][field] ?? field)
    }

    var view: [String: View] {
        var view = filters.view()
        // `operator` is the logged-in operator on every page, so the filter needs another name.
        view["operatorName"] = view.removeValue(forKey: "operator")
        let kinds = ChangeKind.allCases.map { ($0.rawValue, $0.label) }
        view["kinds"] = View(
            (kinds + (isAudit ? [] : [(Self.byOperators, "What operators did")])).map { value, label in
                ["value": .text(value), "label": .text(label), "isChosen": .flag(filters["kind"] == value)]
            })
        return view
    }
}

extension ChangeKind {
    fileprivate var label: String {
        switch self {
        case .outcome: "Outcomes"
        case .capture: "Captures"
        case .void: "Voids"
        case .refund: "Refunds"
        case .elsewhere: "Done elsewhere"
        }
    }
}
