import AccessControl
import FoundationEssentials
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET /console/settlement?day=…`: the amounts that were charged, refunded and voided on a day, by account and
/// currency. The default is today in the operator's zone, or in UTC if no zone is chosen.
struct SettlementScreen: Sendable {
    let relay: PaymentRelay

    var screens: [Screen] { [Screen(.get, "/console/settlement", .look, respond: show)] }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let zoneText = request.query["zone"] ?? request.zone?.description ?? "Z"
        let foundZone = ZoneDatabase.zone(zoneText)
        let asked = request.query["day"] ?? (foundZone ?? .utc).day(of: Date()).text
        var view: [String: View] = ["day": .text(asked), "zone": .text(zoneText)]
        guard let day = CalendarDay(parsing: asked), let zone = foundZone else {
            view["error"] =
                "A day is written 2026-01-31, and a zone Z, as an offset from UTC, such as +04:00, or by its name, such as Asia/Dubai."
            return .page(
                Page(status: .badRequest, template: "settlement", title: "Settlement", menu: "Settlement", view: view))
        }
        let start = zone.moment(day)
        // A change of clocks makes a day 23 or 25 hours long.
        let end = CalendarDay(daysSince1970: day.daysSince1970 + 1).map { zone.moment($0) } ?? start + 86_400
        let settlement = try await relay.settlement(from: start, until: end)
        view["totals"] = View(settlement.totals.map(row))
        view["hasTotals"] = .flag(!settlement.totals.isEmpty)
        view["isAnswered"] = true
        view["unreadable"] = View(settlement.unreadableRecords > 0 ? "\(settlement.unreadableRecords)" : nil)
        return .page(Page(template: "settlement", title: "Settlement", menu: "Settlement", view: view))
    }

    private func row(_ total: Settlement.Total) -> View {
        func sum(_ sum: Settlement.Sum) -> View {
            ["amount": .text(Money.text(sum: sum.amount, total.currency)), "count": "\(sum.count)"]
        }
        return [
            "account": .text(total.account ?? "none"), "charged": sum(total.charged), "refunded": sum(total.refunded),
            "voided": sum(total.voided),
        ]
    }
}
