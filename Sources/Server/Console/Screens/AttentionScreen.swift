import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET /console`: what an operator should look at, and the box that opens a payment.
struct AttentionScreen: Sendable {
    let relay: PaymentRelay
    let sendsEvents: Bool

    /// Of each list. The counts above them are of all.
    private static let limit = 100

    var screens: [Screen] { [Screen(.get, "/console", .look, respond: show)] }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let summary = try await relay.summary()
        let open = try await relay.openPayments(limit: Self.limit)
        let deadLettered = sendsEvents ? try await relay.deadLetteredPayments(limit: Self.limit) : []
        let waiting = sendsEvents ? try await relay.undeliveredPayments(limit: Self.limit) : []
        let undelivered = deadLettered.map { ($0, false) } + waiting.map { ($0, true) }
        let queries = try await relay.queriesWithoutChange(of: open.map(\.merchantReference))
        let rows = open.map { row($0, after: queries[$0.merchantReference]?.newest) }
        let maySupport = request.role.may(.askProcessor)
        return .page(
            Page(
                template: "attention", title: "Needs attention", menu: "Needs attention",
                view: [
                    "openCount": "\(summary.payments.count)", "overdueCount": "\(summary.payments.overdue)",
                    "undeliveredCount": View(
                        sendsEvents
                            ? "\(max(deadLettered.count, summary.events.deadLettered) + waiting.count)" : nil),
                    "hasOpen": .flag(!open.isEmpty), "open": View(rows),
                    "isCut": .flag(summary.payments.count > open.count), "limit": "\(Self.limit)",
                    "hasUndelivered": .flag(!undelivered.isEmpty), "sendsEvents": .flag(sendsEvents),
                    "undelivered": View(
                        undelivered.map { place, isSent in
                            [
                                "reference": .text(place.merchantReference), "since": View(place.at),
                                "link": .text(Links.payment(place.merchantReference)),
                                "resend": .text(Links.operation("resend", place.merchantReference)),
                                "isSent": .flag(isSent),
                            ]
                        }),
                    "maySupport": .flag(maySupport),
                ]))
    }

    private func row(_ payment: Payment, after newest: QueryWithoutChange?) -> View {
        let gateway = relay.processors.title(of: payment)
        return [
            "reference": .text(payment.merchantReference), "link": .text(Links.payment(payment.merchantReference)),
            "amount": .text(Money.text(payment.amount, payment.currency)),
            "what": .text(
                payment.openOperation.map { "\($0.command.verb) of \(Money.text($0.amount, payment.currency))" }
                    ?? payment.state.label),
            "since": View(payment.openSince), "isOverdue": .flag(relay.isOverdue(payment)),
            "gateway": .text(gateway),
            "next": NextStep(for: payment, after: newest, isOverdue: relay.isOverdue(payment), at: gateway).view,
            "ask": .text(Links.operation("ask", payment.merchantReference)),
        ]
    }
}
