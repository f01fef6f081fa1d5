import AccessControl
import FoundationEssentials
import HTTPTypes
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// `GET /console/payments`: the payments that the search box and the filters describe, newest first. Every filter stands in the form and
/// in the address; there is no other.
struct PaymentsScreen: Sendable {
    let relay: PaymentRelay

    var screens: [Screen] { [Screen(.get, "/console/payments", .viewer, respond: show)] }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let filters = Filters(request.query)
        if let reference = filters.soleText, let payment = try await relay.payment(reference) {
            return .redirect(to: Links.payment(payment.merchantReference))
        }
        let query: PaymentQuery
        do throws(ValidationErrors) {
            query = try PaymentQuery(filters.parameters(), visibleTo: .everything)
        } catch {
            return .page(page(filters, errors: error.errors))
        }
        let found = try await relay.search(query)
        return .page(page(filters, found: found, next: found.next.map { query.text(of: $0) }))
    }

    private func page(
        _ filters: Filters, found: PaymentPage? = nil, next: String? = nil, errors: [ValidationError] = []
    ) -> Page {
        var view = filters.view
        view["errors"] = View(errors.map { .text("\(filters.label(of: $0.field)) \($0.detail).") })
        view["hasErrors"] = .flag(!errors.isEmpty)
        view["rows"] = View((found?.payments ?? []).map(row))
        view["hasRows"] = .flag(found.map { !$0.payments.isEmpty } ?? false)
        view["isSearched"] = .flag(found != nil)
        view["isFiltered"] = .flag(!filters.isEmpty)
        view["next"] = View(next.map { Links.payments(filters.pairs.filter { $0.name != "after" } + [("after", $0)]) })
        return Page(
            status: errors.isEmpty ? .ok : .badRequest, template: "payments", title: "Payments", menu: "Payments",
            view: view)
    }

    private func row(_ payment: Payment) -> View {
        let listing = payment.listing
        return [
            "reference": .text(payment.merchantReference), "link": .text(Links.payment(payment.merchantReference)),
            "amount": .text(Money.text(payment.amount, payment.currency)), "claimed": View(payment.claimedAt),
            "state": .text(payment.state.label), "tone": .text(payment.state.tone),
            "isOverdue": .flag(relay.isOverdue(payment)), "card": View(listing["card_number"]?.stringValue),
            "said": View(listing["response_message"]?.stringValue),
            "client": View(payment.client ?? (payment.isMadeElsewhere ? "made elsewhere" : nil)),
        ]
    }
}

/// What the search box and the form of filters hold, as it stands in the address.
private struct Filters {
    /// Without the empty ones, which a form sends too.
    let pairs: [(name: String, value: String)]

    /// The filters of the form, by the names of ``PaymentQuery/Parameter`` but for the first, with what the form calls them.
    private static let fields = [
        ("q", "The search box"), ("outcome", "Outcome"), ("currency", "Currency"), ("amount", "Amount"),
        ("claimed_from", "From"), ("claimed_to", "Before"), ("account", "Account"), ("client", "Client"),
        ("command", "Command"), ("needs_attention", "Needs attention"), ("after", "The page"),
    ]

    init(_ query: FormBody) {
        pairs = Self.fields.compactMap { name, _ in query[name].map { (name, $0) } }
    }

    private subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    var isEmpty: Bool { pairs.allSatisfy { $0.name == "after" } }

    /// The search box's text, where nothing else is asked for.
    var soleText: String? { pairs.count == 1 ? self["q"] : nil }

    func label(of field: String) -> String {
        if let parameter = understood?.name, field == parameter { return "The search box" }
        return Self.fields.first { $0.0 == field }?.1 ?? field
    }

    /// - Throws: where the amount is none in its currency.
    func parameters() throws(ValidationErrors) -> [(name: String, value: String)] {
        var parameters = pairs.filter { $0.name != "q" && $0.name != "amount" }
        if let understood { parameters.append(understood) }
        if let amount = self["amount"] {
            guard let code = self["currency"].flatMap({ Currency(code: $0) })?.code else {
                throw ValidationErrors([
                    ValidationError(field: "amount", detail: "needs a currency: 100 is not the same in AED and KWD")
                ])
            }
            do throws(AmountError) {
                parameters.append(("amount", "\(try Money.parse(amount, code))"))
            } catch {
                throw ValidationErrors([ValidationError(field: "amount", detail: "\(error)")])
            }
        }
        return parameters
    }

    /// An email address, a card's last four digits, FORT's number, or the beginning of a reference.
    private var understood: (name: String, value: String)? {
        guard let text = self["q"] else { return nil }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if text.contains("@") { return ("customer_email", text) }
        if isNumber, text.utf8.count == 4 { return ("card_last_four", text) }
        if isNumber, (12...20).contains(text.utf8.count) { return ("fort_id", text) }
        return ("merchant_reference_prefix", text)
    }

    var view: [String: View] {
        var view: [String: View] = [:]
        for (name, _) in Self.fields { view[name] = View(self[name]) }
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
