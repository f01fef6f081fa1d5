import AccessControl
import FoundationEssentials
import HTTPListener
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET /v1/settlement?day=2026-11-23`: the amounts that were charged, refunded and voided on a day, by account
/// and currency.
///
/// Days are counted by payrelay's clock: a movement belongs to the day on which payrelay recorded it.
struct GetSettlement {
    let relay: PaymentRelay

    func respond(to request: RelayRequest) async throws -> Answer {
        let query = try SettlementQuery(target: request.head.path ?? "")
        let settlement = try await relay.settlement(
            from: query.start, until: query.end, as: request.client?.name)
        return Answer(
            json: [
                "day": .string(query.day), "zone": .string(query.zone.description),
                "from": .string(query.start.rfc3339), "until": .string(query.end.rfc3339),
                "totals": .array(settlement.totals.map(\.json)),
                "unreadable_records": JSON(settlement.unreadableRecords),
            ])
    }
}

/// The query of `GET /v1/settlement`.
struct SettlementQuery: Equatable {
    /// The day as the client wrote it.
    let day: String
    let zone: UTCOffset
    let start: Date
    /// The end of the day (exclusive).
    let end: Date

    /// - Parameter target: the path with its query.
    /// - Throws: 400 with every parameter that is missing, unknown, repeated or malformed.
    init(target: String) throws(Problem) {
        var values: [String: String] = [:]
        var errors: [ValidationError] = []
        for (name, value) in try QueryString.parameters(of: target) {
            if !["day", "zone"].contains(name) {
                // The client chose the name, so its length is limited here.
                errors.append(ValidationError(field: name.beginning(40), detail: "is not a parameter"))
            } else if values.updateValue(value, forKey: name) != nil {
                errors.append(ValidationError(field: name, detail: "is there twice"))
            }
        }
        let zone = UTCOffset(parsing: values["zone"] ?? "Z")
        if zone == nil {
            errors.append(ValidationError(field: "zone", detail: "must be Z or an offset from UTC, such as +04:00"))
        }
        let calendarDay = values["day"].flatMap { CalendarDay(parsing: $0) }
        if calendarDay == nil {
            let what = values["day"] == nil ? "is missing: a date" : "must be a date"
            errors.append(ValidationError(field: "day", detail: "\(what), such as 2026-01-31"))
        }
        guard errors.isEmpty, let zone, let calendarDay else { throw .invalidFields(errors) }
        day = values["day"] ?? ""
        self.zone = zone
        start = calendarDay.start(at: zone)
        end = start + 86_400
    }
}

extension Settlement.Total {
    fileprivate var json: JSON {
        var json: JSONObject = [:]
        json["account"] = account.map { .string($0) }
        json["currency"] = .string(currency)
        json["charged"] = charged.json
        json["refunded"] = refunded.json
        json["voided"] = voided.json
        return .object(json)
    }
}

extension Settlement.Sum {
    fileprivate var json: JSON { ["count": JSON(count), "amount": JSON(amount)] }
}
