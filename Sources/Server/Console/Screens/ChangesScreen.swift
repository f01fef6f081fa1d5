import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `GET /console/changes`: the changes of all payments, the newest first; and `/console/audit`: only the changes
/// that operators made. Both are also available as a file.
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

    /// Exports all changes that match the filters.
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
        let csv = ChangeCSV(zone: form.times.zoneOrUTC)
        return .csv(
            form.filename, header: csv.header, first: try await relay.changes(query), whileOpen: request.isSessionOpen,
            rows: { $0.changes.map { csv.row($0) }.joined() },
            next: { [relay, query] found in
                guard let next = found.next else { return nil }
                var query = query
                query.after = next
                return try await relay.changes(query)
            })
    }

    private func page(
        _ form: ChangesForm, _ role: OperatorRole, found: ChangePage? = nil, errors: [ValidationError] = []
    ) -> Page {
        var view = form.view
        view["title"] = .text(title)
        view["path"] = .text(path)
        view["isAudit"] = .flag(isAudit)
        return form.filters.page(
            template: "changes", title: title, path: path, role: role, view: view,
            rows: found.map { $0.changes.map { $0.row(at: relay.gateways.title(of: $0.gateway)) } },
            next: found?.next?.text, errors: errors.map { "\(form.label(of: $0.field)) \($0.detail)." })
    }
}
