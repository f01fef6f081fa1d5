import FoundationEssentials
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives
import RelayServer

/// The search box and the filters of the list of payments, as the address encodes them.
struct SearchForm {
    /// Without the empty fields, which a form sends too.
    let pairs: [(name: String, value: String)]

    /// The filters of the form, by the names of ``PaymentQuery/Parameter`` but for the first and the zone, with what the form calls them.
    private static let fields = [
        ("q", "The search box"), ("outcome", "Outcome"), ("currency", "Currency"), ("amount", "Amount"),
        ("claimed_from", "From"), ("claimed_to", "Before"), ("zone", "Zone"), ("account", "Account"),
        ("client", "Client"), ("command", "Command"), ("needs_attention", "Needs attention"), ("after", "The page"),
    ]

    init(_ query: FormBody) {
        pairs = Self.fields.compactMap { name, _ in query[name].map { (name, $0) } }
    }

    private subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// The zone alone excludes no payment.
    private var filtering: [(name: String, value: String)] { pairs.filter { $0.name != "zone" && $0.name != "after" } }

    var isEmpty: Bool { filtering.isEmpty }

    /// The search box's text, if there is no filter besides.
    var soleText: String? { filtering.count == 1 && self["after"] == nil ? self["q"] : nil }

    /// The search box's text, if any.
    var text: String? { self["q"] }

    /// The email in the search box, if that is one.
    var email: String? {
        guard case .parameter("customer_email", let email) = text.map(understood) else { return nil }
        return email
    }

    /// All but the page, for the address of another list of the same payments.
    var withoutPage: [(name: String, value: String)] { pairs.filter { $0.name != "after" } }

    func label(of field: String) -> String {
        if case .parameter(let name, _) = text.map(understood), field == name { return "The search box" }
        return Self.fields.first { $0.0 == field }?.1 ?? field
    }

    /// - Throws: every filter that cannot be read.
    func query(knowing vocabulary: AnswerVocabulary) throws(ValidationErrors) -> PaymentQuery {
        let zone = try zone()
        var parameters = filtering.filter {
            !["q", "amount", "currency", "claimed_from", "claimed_to"].contains($0.name)
        }
        if let after = self["after"] { parameters.append(("after", after)) }
        var (amount, currency) = (self["amount"], self["currency"]?.uppercasedASCII)
        var times = try times(at: zone)
        switch text.map(understood) {
        case nil: break
        case .parameter(let name, let value): parameters.append((name, value))
        case .amount(let number, let code):
            guard amount == nil, code == nil || currency == nil || code == currency else {
                throw Self.error("q", "asks for another amount than the filters")
            }
            (amount, currency) = (number, code ?? currency)
        case .days(let days):
            guard times.isEmpty else { throw Self.error("q", "asks for other days than the filters") }
            times = Self.times(of: days, at: zone)
        case .unknown(let detail): throw Self.error("q", detail)
        }
        if let currency { parameters.append(("currency", currency)) }
        var query = try PaymentQuery(parameters + times, visibleTo: .everything, knowing: vocabulary)
        if let amount { query.amountInAnyCurrency = try decimal(amount) }
        return query
    }

    private static func error(_ field: String, _ detail: String) -> ValidationErrors {
        ValidationErrors([ValidationError(field: field, detail: detail)])
    }

    private func decimal(_ amount: String) throws(ValidationErrors) -> AmountInAnyCurrency {
        guard let number = DecimalText.plain(amount) else { throw Self.error("amount", "is not a number") }
        do throws(AmountError) {
            return try AmountInAnyCurrency(number)
        } catch {
            throw Self.error("amount", "\(error)")
        }
    }

    private func times(at zone: UTCOffset) throws(ValidationErrors) -> [(name: String, value: String)] {
        var times: [(name: String, value: String)] = []
        for name in ["claimed_from", "claimed_to"] {
            guard let text = self[name] else { continue }
            if let days = DayRange(words: text, today: Self.today(at: zone)) {
                let range = Self.times(of: days, at: zone)
                // "From yesterday" is all of yesterday where nothing says until when.
                times += name == "claimed_from" && self["claimed_to"] == nil ? range : [(name, range[0].value)]
                continue
            }
            guard let moment = Self.moment(text, at: zone) else {
                throw Self.error(
                    name, "must be a day, 2026-01-31, a time, 2026-01-31 11:30, or today, yesterday, last 7 days")
            }
            times.append((name, moment))
        }
        return times
    }

    private static func times(of days: DayRange, at zone: UTCOffset) -> [(name: String, value: String)] {
        [("claimed_from", days.first.start(at: zone).rfc3339)]
            + (days.end.map { [("claimed_to", $0.start(at: zone).rfc3339)] } ?? [])
    }

    private static func today(at zone: UTCOffset) -> CalendarDay { CalendarDay(Date() + Double(zone.seconds)) }

    var zoneOrUTC: UTCOffset { (try? zone()) ?? .utc }

    /// Of the list as a file: its filters and the day. An email stays out of it, since file names are logged.
    var filename: String {
        let words = filtering.map { name, value in
            guard name == "q" else { return name == "outcome" || name == "currency" ? value : "\(name)-\(value)" }
            return if case .parameter("customer_email", _) = understood(value) { "email" } else { value }
        }
        let text = (["payments"] + words).joined(separator: "_").utf8.prefix(100)
        let safe = text.map { byte -> UInt8 in
            let isKept = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isKept || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") ? byte : UInt8(ascii: "-")
        }
        return "\(String(decoding: safe, as: UTF8.self))_\(Self.today(at: zoneOrUTC).text).csv"
    }

    private func zone() throws(ValidationErrors) -> UTCOffset {
        guard let text = self["zone"] else { return .utc }
        guard let zone = UTCOffset(parsing: text) else {
            throw ValidationErrors([
                ValidationError(field: "zone", detail: "must be Z for UTC, or an offset from it, such as +04:00")
            ])
        }
        return zone
    }

    /// As a search takes it: `2026-01-31`, `2026-01-31 11:30` and `2026-01-31 11:30:05` are of the zone; a moment of RFC 3339 names its
    /// own. Nil for anything else.
    private static func moment(_ text: String, at zone: UTCOffset) -> String? {
        let rest = text.utf8.dropFirst(10)
        guard let day = CalendarDay(parsing: String(Substring(text.utf8.prefix(10)))) else { return nil }
        if rest.isEmpty { return day.start(at: zone).rfc3339 }
        let clock = Array(rest.dropFirst())
        guard rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "T") else { return nil }
        guard clock.count == 5 || clock.count == 8 else { return text }
        var parts: [Int] = []
        for (index, byte) in clock.enumerated() {
            if index % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
            } else {
                guard (0x30...0x39).contains(byte) else { return nil }
                if index % 3 == 0 { parts.append(0) }
                parts[parts.count - 1] = parts[parts.count - 1] * 10 + Int(byte - 0x30)
            }
        }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = zip(parts, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return day.start(at: zone).addingTimeInterval(Double(seconds)).rfc3339
    }

    private func understood(_ text: String) -> SearchText {
        SearchText(text, today: Self.today(at: zoneOrUTC))
    }

    var view: [String: View] {
        var view: [String: View] = [:]
        for (name, _) in Self.fields { view[name] = View(self[name]) }
        // Times in an address that names no zone are UTC, and the form says so.
        if self["zone"] == nil, self["claimed_from"] != nil || self["claimed_to"] != nil { view["zone"] = "Z" }
        view["isAttention"] = .flag(self["needs_attention"] == "true")
        view["outcomes"] = View(
            PaymentState.allCases.map { state in
                [
                    "value": .text(state.rawValue), "label": .text(state.label),
                    "isChosen": .flag(self["outcome"] == state.rawValue),
                ]
            })
        return view
    }
}
