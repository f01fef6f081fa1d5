import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// The filters of a list of changes, as the address encodes them.
struct ChangesForm {
    /// Whether only operators' changes are listed.
    let isAudit: Bool
    /// Without the empty fields, which a form sends too.
    let pairs: [(name: String, value: String)]

    private static let fields = [
        ("kind", "Kind"), ("operator", "Operator"), ("reference", "Payment"), ("account", "Account"), ("from", "From"),
        ("to", "Before"), ("zone", "Zone"), ("after", "The page"),
    ]

    /// Beside a change's kind: what operators asked for.
    private static let byOperators = "operator"

    /// - Parameter zone: the operator's. Times in an address without a zone are UTC, for every operator.
    init(_ query: FormBody, isAudit: Bool, zone: ClockZone? = nil) {
        self.isAudit = isAudit
        let pairs: [(name: String, value: String)] = Self.fields.filter { isAudit || $0.0 != "operator" }
            .compactMap { name, _ in query[name].map { (name, $0) } }
        let isOfAZone = pairs.contains { ["zone", "from", "to"].contains($0.name) }
        self.pairs = pairs + (isOfAZone ? [] : [zone].compactMap { $0.map { (name: "zone", value: $0.description) } })
    }

    private subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    private var filtering: [(name: String, value: String)] { pairs.filter { $0.name != "zone" && $0.name != "after" } }

    var isEmpty: Bool { filtering.isEmpty }

    var withoutPage: [(name: String, value: String)] { pairs.filter { $0.name != "after" } }

    var times: TypedTimes { TypedTimes(from: self["from"], to: self["to"], zone: self["zone"]) }

    var filename: String {
        ConsoleAnswer.filename([isAudit ? "audit" : "changes"] + filtering.map { "\($0)-\($1)" }, on: times.today)
    }

    /// - Throws: the filters that cannot be read, by the form's names.
    func query() throws(ValidationErrors) -> ChangeQuery {
        var query = ChangeQuery()
        if isAudit { query.operators = .all }
        if let name = self["operator"] {
            guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Self.error("operator", "must be an operator's name")
            }
            query.operators = .named(name)
        }
        switch self["kind"] {
        case nil: break
        case Self.byOperators where !isAudit: query.operators = .all
        case let kind?:
            guard let known = ChangeKind(rawValue: kind) else { throw Self.error("kind", "must be one of the list") }
            query.kind = known
        }
        if let reference = self["reference"] {
            guard reference.utf8.count <= 255, reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw Self.error("reference", "is no merchant_reference")
            }
            query.merchantReference = reference
        }
        let read = try PaymentQuery(
            times.parameters() + (self["account"].map { [("account", $0)] } ?? []), visibleTo: .everything,
            knowing: AnswerVocabulary())
        (query.account, query.from, query.to) = (read.account, read.claimedFrom, read.claimedTo)
        if let after = self["after"] {
            guard let place = ChangeCursor(after) else { throw Self.error("after", "is not one of this list") }
            query.after = place
        }
        return query
    }

    private static func error(_ field: String, _ detail: String) -> ValidationErrors {
        ValidationErrors([ValidationError(field: field, detail: detail)])
    }

    /// - Parameter field: of the form, or as a search calls it.
    func label(of field: String) -> String {
        let name = ["claimed_from": "from", "claimed_to": "to"][field] ?? field
        return Self.fields.first { $0.0 == name }?.1 ?? name
    }

    var view: [String: View] {
        var view: [String: View] = [:]
        // Every page has an operator of its own.
        for (name, _) in Self.fields { view[name == "operator" ? "operatorName" : name] = View(self[name]) }
        // Times in an address that names no zone are UTC, and the form says so.
        if self["zone"] == nil, self["from"] != nil || self["to"] != nil { view["zone"] = "Z" }
        let kinds = ChangeKind.allCases.map { ($0.rawValue, $0.label) }
        view["kinds"] = View(
            (kinds + (isAudit ? [] : [(Self.byOperators, "What operators did")])).map { value, label in
                ["value": .text(value), "label": .text(label), "isChosen": .flag(self["kind"] == value)]
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
