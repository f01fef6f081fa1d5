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
        let waiting = sendsEvents ? try await relay.deadLetteredPayments(limit: Self.limit) : []
        let events = sendsEvents ? summary.events : nil
        let maySupport = request.role.may(.askProcessor)
        return .page(
            Page(
                template: "attention", title: "Needs attention", menu: "Needs attention",
                view: [
                    "openCount": "\(summary.payments.count)", "overdueCount": "\(summary.payments.overdue)",
                    "deadLetteredCount": View(events.map { "\($0.deadLettered)" }),
                    "hasOpen": .flag(!open.isEmpty), "open": View(open.map(row)),
                    "isCut": .flag(summary.payments.count > open.count), "limit": "\(Self.limit)",
                    "hasDeadLettered": .flag(!waiting.isEmpty), "sendsEvents": .flag(sendsEvents),
                    "deadLettered": View(
                        waiting.map {
                            [
                                "reference": .text($0.merchantReference), "since": View($0.at),
                                "link": .text(Links.payment($0.merchantReference)),
                                "resend": .text(Links.operation("resend", $0.merchantReference)),
                            ]
                        }),
                    "maySupport": .flag(maySupport),
                ]))
    }

    private func row(_ payment: Payment) -> View {
        [
            "reference": .text(payment.merchantReference), "link": .text(Links.payment(payment.merchantReference)),
            "amount": .text(Money.text(payment.amount, payment.currency)),
            "what": .text(
                payment.openOperation.map { "\($0.command.verb) of \(Money.text($0.amount, payment.currency))" }
                    ?? payment.state.label),
            "since": View(payment.openSince), "isOverdue": .flag(relay.isOverdue(payment)),
            "gateway": .text(relay.processors.title(of: payment)),
            "ask": .text(Links.operation("ask", payment.merchantReference)),
        ]
    }
}
