import AccessControl
import Charts
import FoundationEssentials
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `GET /console/payments`: the payments that the search box and the filters describe, newest first. Every filter stands in the form and
/// in the address; there is no other.
struct PaymentsScreen: Sendable {
    let relay: PaymentRelay
    let processors: [ProcessorPages]

    var screens: [Screen] {
        [
            Screen(.get, "/console/payments", .look, respond: show),
            Screen(.get, "/console/payments.csv", .exportPayments, respond: export),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let filters = SearchForm(request.query, zone: request.zone)
        if let reference = filters.soleText, let payment = try await relay.payment(reference) {
            return .redirect(to: Links.payment(payment.merchantReference))
        }
        let query: PaymentQuery
        do throws(ValidationErrors) {
            query = try filters.query(knowing: relay.processors.vocabulary)
        } catch {
            return .page(page(filters, request.role, errors: error.errors))
        }
        let found = try await relay.search(query)
        if let reference = filters.soleText, found.payments.count == 1,
            found.payments[0].merchantReference.isSame(ignoringCaseOf: reference)
        {
            return .redirect(to: Links.payment(found.payments[0].merchantReference))
        }
        var other: (name: String, link: String)?
        if found.payments.isEmpty, found.next == nil {
            for (form, word) in filters.others {
                let page = try await relay.search(form.query(knowing: relay.processors.vocabulary))
                if !page.payments.isEmpty { return .redirect(to: Links.payments(form.pairs)) }
                // There may be one among older payments.
                if page.next != nil { other = (word, Links.payments(form.pairs)) }
            }
        }
        // Nobody asks for the sum of all payments, and to add them up takes long.
        let totals = filters.isEmpty ? nil : try await relay.totals(of: query)
        return .page(page(filters, request.role, found: found, totals: totals, next: found.next?.text, other: other))
    }

    /// All that the filters describe, page after page, each read once the browser has taken the one before it. It ends with the session.
    @Sendable private func export(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let filters = SearchForm(request.query, zone: request.zone)
        var query: PaymentQuery
        do throws(ValidationErrors) {
            query = try filters.query(knowing: relay.processors.vocabulary)
        } catch {
            return .page(page(filters, request.role, errors: error.errors))
        }
        query.after = nil
        query.limit = PaymentQuery.limits.upperBound
        // Before the head, so that a journal that cannot be read is a page and not an empty file.
        let first = try await relay.search(query)
        return .file(filters.filename, "text/csv; charset=utf-8; header=present") {
            [relay, query, zone = filters.zoneOrUTC, isSessionOpen = request.isSessionOpen] write in
            var (query, page) = (query, first)
            let csv = PaymentCSV(relay.processors.vocabulary, forPeopleIn: zone)
            try await write(csv.header)
            while true {
                guard isSessionOpen() else { throw SessionEnded() }
                let rows = page.payments.map { csv.row($0) }.joined()
                if !rows.isEmpty { try await write(rows) }
                guard let next = page.next else { return }
                query.after = next
                page = try await relay.search(query)
            }
        }
    }

    private func page(
        _ filters: SearchForm, _ role: OperatorRole, found: PaymentPage? = nil, totals: PaymentTotals? = nil,
        next: String? = nil, other: (name: String, link: String)? = nil, errors: [ValidationError] = []
    ) -> Page {
        var view = filters.view
        view["errors"] = View(errors.map { .text("\(filters.label(of: $0.field)) \($0.detail).") })
        view["hasErrors"] = .flag(!errors.isEmpty)
        view["rows"] = View((found?.payments ?? []).map { $0.row(of: relay) })
        view["hasRows"] = .flag(found.map { !$0.payments.isEmpty } ?? false)
        view["totals"] = View((totals?.sums ?? []).map(\.view))
        view["lookedAt"] = View(totals?.lookedAt.map { $0.text })
        view["isSearched"] = .flag(found != nil)
        view["isFiltered"] = .flag(!filters.isEmpty)
        view["next"] = View(next.map { Links.payments(filters.withoutPage + [("after", $0)]) })
        view["csv"] = .text(Links.payments(filters.withoutPage, as: ".csv"))
        view["mayExport"] = .flag(role.may(.exportPayments))
        view["customer"] = View(filters.email.map { Links.customer($0) })
        view["code"] =
            code(filters).map { ["name": .text($0.name), "link": .text($0.path)] } ?? View.none
        view["other"] = other.map { ["name": .text($0.name), "link": .text($0.link)] } ?? View.none
        return Page(
            status: errors.isEmpty ? .ok : .badRequest, template: "payments", title: "Payments", menu: "Payments",
            view: view)
    }

    /// A page of a processor's that the search box names, beside the references that begin with it.
    private func code(_ filters: SearchForm) -> (name: String, path: String)? {
        guard let text = filters.text else { return nil }
        return processors.lazy.compactMap { $0.page(text) }.first
    }
}
