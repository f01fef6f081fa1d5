import AccessControl
import FoundationEssentials
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET /console/settlement?day=…`: what was charged, refunded and voided on a day, by account and currency; today's in UTC where none is
/// named.
struct SettlementScreen: Sendable {
    let relay: PaymentRelay

    var screens: [Screen] { [Screen(.get, "/console/settlement", .look, respond: show)] }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let asked = request.query["day"] ?? CalendarDay(Date()).text
        let zoneText = request.query["zone"] ?? "Z"
        var view: [String: View] = ["day": .text(asked), "zone": .text(zoneText)]
        guard let day = CalendarDay(parsing: asked), let zone = UTCOffset(parsing: zoneText) else {
            view["error"] = "A day is written 2026-01-31, and a zone Z or as an offset from UTC, such as +04:00."
            return .page(
                Page(status: .badRequest, template: "settlement", title: "Settlement", menu: "Settlement", view: view))
        }
        let start = day.start(at: zone)
        let settlement = try await relay.settlement(from: start, until: start + 86_400)
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
