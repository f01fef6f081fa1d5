import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// The filters of a list in the console, as the address encodes them.
struct ListFilters {
    typealias Pair = (name: String, value: String)

    /// The filters without empty fields, which a form sends, too.
    let pairs: [Pair]
    /// The names of the form's fields, with their labels.
    private let fields: [(name: String, label: String)]
    /// The names of the fields that contain a time.
    private let times: Set<String>

    /// - Parameter zone: the operator's time zone. Times in an address without a zone are in UTC, for every
    ///   operator.
    init(_ query: FormBody, fields: [(name: String, label: String)], times: Set<String>, zone: ClockZone?) {
        var pairs: [Pair] = fields.compactMap { field in query[field.name].map { (field.name, $0) } }
        if let zone, !pairs.contains(where: { times.contains($0.name) || $0.name == "zone" }) {
            pairs.append(("zone", zone.description))
        }
        self.init(pairs: pairs, fields: fields, times: times)
    }

    private init(pairs: [Pair], fields: [(name: String, label: String)], times: Set<String>) {
        self.pairs = pairs
        self.fields = fields
        self.times = times
    }

    /// Returns the same filters with another value for one of them.
    func with(_ value: String, as name: String) -> ListFilters {
        ListFilters(pairs: pairs.map { $0.name == name ? (name, value) : $0 }, fields: fields, times: times)
    }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// The filters that exclude entries from the list, which are all except the zone and the page.
    var filtering: [Pair] { pairs.filter { $0.name != "zone" && $0.name != "after" } }

    var isEmpty: Bool { filtering.isEmpty }

    /// All filters except the page, for the address of another list with the same filters.
    var withoutPage: [Pair] { pairs.filter { $0.name != "after" } }

    func label(of field: String) -> String { fields.first { $0.name == field }?.label ?? field }

    static func error(_ field: String, _ detail: String) -> ValidationErrors {
        ValidationErrors([ValidationError(field: field, detail: detail)])
    }

    /// Returns the data of the form's fields for a template.
    ///
    /// - Parameter hasTimes: whether a filter contains a time; `nil` to look at the time fields.
    func view(hasTimes: Bool? = nil) -> [String: View] {
        var view: [String: View] = [:]
        for field in fields { view[field.name] = View(self[field.name]) }
        // Times in an address without a zone are in UTC, and the form shows that.
        if self["zone"] == nil, hasTimes ?? times.contains(where: { self[$0] != nil }) { view["zone"] = "Z" }
        return view
    }

    /// Returns a page of the list.
    ///
    /// - Parameters:
    ///   - path: the path of the list.
    ///   - view: the parts that only this list has, including the fields of its form.
    ///   - rows: the rows; `nil` if nothing was searched because a filter cannot be read.
    ///   - next: the beginning of the next page, if there is one.
    ///   - errors: the filters that cannot be read, each as a sentence.
    func page(
        template: String, title: String, path: String, role: OperatorRole, view: [String: View], rows: [View]?,
        next: String?, errors: [String]
    ) -> Page {
        let shared: [String: View] = [
            "errors": View(errors.map { .text($0) }), "hasErrors": .flag(!errors.isEmpty), "rows": View(rows ?? []),
            "hasRows": .flag(rows.map { !$0.isEmpty } ?? false), "isSearched": .flag(rows != nil),
            "isFiltered": .flag(!isEmpty), "next": View(next.map { Links.list(path, withoutPage + [("after", $0)]) }),
            "csv": .text(Links.list(path + ".csv", withoutPage)), "mayExport": .flag(role.may(.exportPayments)),
        ]
        return Page(
            status: errors.isEmpty ? .ok : .badRequest, template: template, title: title, menu: title,
            view: view.merging(shared) { $1 })
    }
}

extension ConsoleAnswer {
    /// Returns a list as a file. Each page is read after the browser has taken the page before it. The file
    /// breaks off if the session ends.
    ///
    /// - Parameters:
    ///   - first: the first page. It was read before, so that an unreadable journal gives an error page and not
    ///     an empty file.
    ///   - next: returns the next page; `nil` after the last one.
    static func csv<Found: Sendable>(
        _ filename: String, header: String, first: Found, whileOpen isSessionOpen: @escaping @Sendable () -> Bool,
        rows: @escaping @Sendable (Found) -> String, next: @escaping @Sendable (Found) async throws -> Found?
    ) -> ConsoleAnswer {
        .file(filename, "text/csv; charset=utf-8; header=present") { write in
            try await write(header)
            var page: Found? = first
            while let found = page {
                guard isSessionOpen() else { throw SessionEnded() }
                let text = rows(found)
                if !text.isEmpty { try await write(text) }
                page = try await next(found)
            }
        }
    }
}
