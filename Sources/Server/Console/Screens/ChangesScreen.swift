import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `GET /console/changes`: what changed, of all payments, newest first; and `/console/audit`: what of it operators asked for. Both also as
/// a file.
struct ChangesScreen: Sendable {
    let relay: PaymentRelay
    let isAudit: Bool

    private var path: String { isAudit ? "/console/audit" : "/console/changes" }
    private var title: String { isAudit ? "Audit" : "Changes" }

    var screens: [Screen] {
        [
            Screen(.get, path, .look, respond: show),
            Screen(.get, path + ".csv", .exportPayments, respond: export),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let form = ChangesForm(request.query, isAudit: isAudit, zone: request.zone)
        let query: ChangeQuery
        do throws(ValidationErrors) {
            query = try form.query()
        } catch {
            return .page(page(form, request.role, errors: error.errors))
        }
        return .page(page(form, request.role, found: try await relay.changes(query)))
    }

    /// All that the filters describe, page after page, each read once the browser has taken the one before it. It ends with the session.
    @Sendable private func export(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let form = ChangesForm(request.query, isAudit: isAudit, zone: request.zone)
        var query: ChangeQuery
        do throws(ValidationErrors) {
            query = try form.query()
        } catch {
            return .page(page(form, request.role, errors: error.errors))
        }
        query.after = nil
        query.limit = PaymentQuery.limits.upperBound
        // Before the head, so that a journal that cannot be read is a page and not an empty file.
        let first = try await relay.changes(query)
        return .file(form.filename, "text/csv; charset=utf-8; header=present") {
            [relay, query, csv = ChangeCSV(zone: form.times.zoneOrUTC), isOpen = request.isSessionOpen] write in
            var (query, page) = (query, first)
            try await write(csv.header)
            while true {
                guard isOpen() else { throw SessionEnded() }
                let rows = page.changes.map { csv.row($0) }.joined()
                if !rows.isEmpty { try await write(rows) }
                guard let next = page.next else { return }
                query.after = next
                page = try await relay.changes(query)
            }
        }
    }

    private func page(
        _ form: ChangesForm, _ role: OperatorRole, found: ChangePage? = nil, errors: [ValidationError] = []
    ) -> Page {
        var view = form.view
        view["title"] = .text(title)
        view["path"] = .text(path)
        view["isAudit"] = .flag(isAudit)
        view["errors"] = View(errors.map { .text("\(form.label(of: $0.field)) \($0.detail).") })
        view["hasErrors"] = .flag(!errors.isEmpty)
        view["rows"] = View((found?.changes ?? []).map { $0.row(at: relay.processors.title(of: $0.processor)) })
        view["hasRows"] = .flag(found.map { !$0.changes.isEmpty } ?? false)
        view["isSearched"] = .flag(found != nil)
        view["isFiltered"] = .flag(!form.isEmpty)
        view["next"] = View(found?.next.map { Links.list(path, form.withoutPage + [("after", $0.text)]) })
        view["csv"] = .text(Links.list(path + ".csv", form.withoutPage))
        view["mayExport"] = .flag(role.may(.exportPayments))
        return Page(
            status: errors.isEmpty ? .ok : .badRequest, template: "changes", title: title, menu: title, view: view)
    }
}
