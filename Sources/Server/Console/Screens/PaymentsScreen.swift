import AccessControl
import FoundationEssentials
import HTTPTypes
import Observability
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `GET /console/payments`: the payments that match the search box and the filters, the newest first. Every
/// filter is both in the form and in the address; there are no other filters.
struct PaymentsScreen: Sendable {
    let relay: PaymentRelay
    let gateways: [GatewayPages]

    var screens: [Screen] {
        [
            Screen(.get, "/console/payments", .look, respond: show),
            Screen(.get, "/console/payments.csv", .exportPayments, respond: export),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let form = SearchForm(request.query, zone: request.zone)
        if let reference = form.soleText, let payment = try await relay.payment(reference) {
            return .redirect(to: Links.payment(payment.merchantReference))
        }
        let query: PaymentQuery
        do throws(ValidationErrors) {
            query = try form.query(knowing: relay.gateways.vocabulary)
        } catch {
            return .page(page(form, request.role, errors: error.errors))
        }
        let found = try await relay.search(query)
        if let reference = form.soleText, found.payments.count == 1,
            found.payments[0].merchantReference.isSame(ignoringCaseOf: reference)
        {
            return .redirect(to: Links.payment(found.payments[0].merchantReference))
        }
        var older: (name: String, link: String)?
        if found.payments.isEmpty, found.next == nil {
            for (other, word) in form.others {
                let page = try await relay.search(other.query(knowing: relay.gateways.vocabulary))
                let link = Links.payments(other.filters.pairs)
                if !page.payments.isEmpty { return .redirect(to: link) }
                // An older payment may match.
                if page.next != nil { older = (word, link) }
            }
        }
        // Without a filter the totals are left out, because nobody needs the sum of all payments and it takes
        // long.
        let totals = form.filters.isEmpty ? nil : try await relay.totals(of: query)
        return .page(page(form, request.role, found: found, totals: totals, other: older))
    }

    /// Exports all payments that match the filters.
    @Sendable private func export(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let form = SearchForm(request.query, zone: request.zone)
        var query: PaymentQuery
        do throws(ValidationErrors) {
            query = try form.query(knowing: relay.gateways.vocabulary)
        } catch {
            return .page(page(form, request.role, errors: error.errors))
        }
        query.after = nil
        query.limit = PaymentQuery.limits.upperBound
        let csv = PaymentCSV(relay.gateways.vocabulary, forPeopleIn: form.zoneOrUTC)
        return .csv(
            form.filename, header: csv.header, first: try await relay.search(query), whileOpen: request.isSessionOpen,
            rows: { $0.payments.map { csv.row($0) }.joined() },
            next: { [relay, query] found in
                guard let next = found.next else { return nil }
                var query = query
                query.after = next
                return try await relay.search(query)
            })
    }

    private func page(
        _ form: SearchForm, _ role: OperatorRole, found: PaymentPage? = nil, totals: PaymentTotals? = nil,
        other: (name: String, link: String)? = nil, errors: [ValidationError] = []
    ) -> Page {
        var view = form.view
        view["totals"] = View((totals?.sums ?? []).map(\.view))
        view["lookedAt"] = View(totals?.lookedAt.map { $0.text })
        view["customer"] = View(form.email.map { Links.customer($0) })
        view["code"] = code(form).map { ["name": .text($0.name), "link": .text($0.path)] } ?? View.none
        view["codeMeaning"] = meaning(of: form.code)
        view["other"] = other.map { ["name": .text($0.name), "link": .text($0.link)] } ?? View.none
        return form.filters.page(
            template: "payments", title: "Payments", path: "/console/payments", role: role, view: view,
            rows: found.map { $0.payments.map { $0.row(of: relay) } }, next: found?.next?.text,
            errors: errors.map { "\(form.label(of: $0.field)) \($0.detail)." })
    }

    /// Returns a gateway's page for the text in the search box, in addition to the references that begin with
    /// that text.
    private func code(_ form: SearchForm) -> (name: String, path: String)? {
        guard let text = form.code ?? form.text else { return nil }
        return gateways.lazy.compactMap { $0.page(text) }.first
    }

    /// Returns the meaning of a code that is searched for, for the operator and as a sentence for the customer.
    private func meaning(of code: String?) -> View {
        guard let code else { return .none }
        let receipt: JSONObject = ["response_code": .string(code), "processor_response": .object([:])]
        let parts = gateways.lazy.filter { $0.page(code) != nil }.map { $0.explain(receipt, false) }.first
        return parts.map { .parts($0) } ?? .none
    }
}
