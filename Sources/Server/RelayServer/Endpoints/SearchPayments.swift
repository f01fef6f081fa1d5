import AccessControl
import HTTPListener
import HTTPTypes
import NIOCore
import PaymentRelay
import PayrelayPrimitives

/// `GET /v1/payments`: a page of the payments that match the query, the newest first; as CSV, all of them.
struct SearchPayments {
    let relay: PaymentRelay

    func respond(to request: RelayRequest) async throws -> Answer {
        // S7: the client's identity decides which payments are visible. No parameter can change that.
        let visible = request.client.map { PaymentQuery.Visibility.payments($0.visiblePayments) } ?? .everything
        let parameters = try QueryString.parameters(of: request.head.path)
        let query: PaymentQuery
        do throws(ValidationErrors) {
            query = try PaymentQuery(parameters, visibleTo: visible, knowing: relay.gateways.vocabulary)
        } catch {
            throw Problem.invalidFields(error.errors)
        }
        if Self.prefersCSV(request.head.headerFields[values: .accept]) { return try await export(query) }
        let page = try await relay.search(query)
        var json: JSONObject = ["payments": .array(page.payments.map { .object($0.listing) })]
        json["next"] = page.next.map { .string($0.text) }
        return Answer(json: .object(json))
    }

    /// Returns all pages as one stream. Each page is read after the client has taken the page before it.
    private func export(_ query: PaymentQuery) async throws -> Answer {
        var query = query
        query.limit = PaymentQuery.limits.upperBound
        // The first page is read before the head is sent, so that an unreadable journal is reported as an error
        // and not as an empty file.
        let first = try await relay.search(query)
        let head = HTTPResponse(
            status: .ok,
            headerFields: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: #"attachment; filename="payments.csv""#,
            ])
        let csv = PaymentCSV(relay.gateways.vocabulary)
        return Answer(head: head) { [query] write in
            var (query, page) = (query, first)
            try await write(ByteBuffer(string: csv.header))
            while true {
                let rows = page.payments.map { csv.row($0) }.joined()
                if !rows.isEmpty { try await write(ByteBuffer(string: rows)) }
                guard let next = page.next else { return }
                query.after = next
                page = try await relay.search(query)
            }
        }
    }

    /// Whether the client accepts `text/csv` by name and prefers it to JSON (RFC 9110, 12.5.1).
    private static func prefersCSV(_ accept: [String]) -> Bool {
        var weights: [String: Double] = [:]
        for range in accept.flatMap({ $0.parts(at: ",") }) {
            let parts = range.parts(at: ";").map { $0.trimmedOfSpaces.lowercasedASCII }
            guard let type = parts.first else { continue }
            let weight = parts.dropFirst().lazy.compactMap { $0.after("q=") }.first.map { Double($0) ?? 0 } ?? 1
            weights[type] = max(weights[type] ?? 0, weight)
        }
        let csv = weights["text/csv"] ?? 0
        return csv > 0 && csv > (weights["application/json"] ?? 0)
    }
}
