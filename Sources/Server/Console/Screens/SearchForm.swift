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

    /// All but the page, for the address of another list of the same payments.
    var withoutPage: [(name: String, value: String)] { pairs.filter { $0.name != "after" } }

    func label(of field: String) -> String {
        if let parameter = understood?.name, field == parameter { return "The search box" }
        return Self.fields.first { $0.0 == field }?.1 ?? field
    }

    /// - Throws: every filter that cannot be read.
    func query(knowing vocabulary: AnswerVocabulary) throws(ValidationErrors) -> PaymentQuery {
        try PaymentQuery(try parameters(), visibleTo: .everything, knowing: vocabulary)
    }

    private func parameters() throws(ValidationErrors) -> [(name: String, value: String)] {
        var parameters = filtering.filter { !["q", "amount", "claimed_from", "claimed_to"].contains($0.name) }
        if let after = self["after"] { parameters.append(("after", after)) }
        if let understood { parameters.append(understood) }
        if let amount = self["amount"] { parameters.append(("amount", try minorUnits(amount))) }
        let zone = try zone()
        for name in ["claimed_from", "claimed_to"] {
            guard let text = self[name] else { continue }
            guard let moment = Self.moment(text, at: zone) else {
                throw ValidationErrors([
                    ValidationError(field: name, detail: "must be a day, 2026-01-31, or a time, 2026-01-31 11:30")
                ])
            }
            parameters.append((name, moment))
        }
        return parameters
    }

    private func minorUnits(_ amount: String) throws(ValidationErrors) -> String {
        guard let code = self["currency"].flatMap({ Currency(code: $0) })?.code else {
            throw ValidationErrors([
                ValidationError(field: "amount", detail: "needs a currency: 100 is not the same in AED and KWD")
            ])
        }
        do throws(AmountError) {
            return "\(try Money.parse(amount, code))"
        } catch {
            throw ValidationErrors([ValidationError(field: "amount", detail: "\(error)")])
        }
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

    /// An email address, a card's last four digits, a gateway's number of the payment, Apple's identifier of the transaction, or the beginning of a reference.
    private var understood: (name: String, value: String)? {
        guard let text = self["q"] else { return nil }
        let isDigits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if text.has("@") { return ("customer_email", text) }
        if isDigits, text.utf8.count == 4 { return ("card_last_four", text) }
        if isDigits, (12...20).contains(text.utf8.count) { return ("processor_reference", text) }
        // No reference is as long.
        if text.utf8.count == 64, (try? HexText(text)) != nil { return ("apple_transaction_identifier", text) }
        return ("merchant_reference_prefix", text)
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
