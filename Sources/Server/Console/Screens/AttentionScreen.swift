import AccessControl
import FoundationEssentials
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET /console`: the payments that need an operator's attention, and the search box.
struct AttentionScreen: Sendable {
    let relay: PaymentRelay
    let sendsEvents: Bool

    /// The maximum length of each list. The counts above the lists cover all payments, or say that there may be
    /// more.
    private static let limit = 100

    var screens: [Screen] {
        [
            Screen(.get, Links.start, .look, respond: show),
            Screen(.post, "/console/resend", .resendEvents, respond: resendFailed),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let summary = try await relay.summary()
        let open = try await relay.openPayments(limit: Self.limit)
        let deadLettered = sendsEvents ? try await relay.deadLetteredPayments(limit: Self.limit) : []
        let waiting = sendsEvents ? try await relay.undeliveredPayments(limit: Self.limit) : []
        let undelivered = deadLettered.map { ($0, false) } + waiting.map { ($0, true) }
        // The journal's count of waiting payments cannot be used, because it includes payments that have waited
        // for less than a minute.
        let failedCount = max(deadLettered.count, summary.events.deadLettered)
        let undeliveredCount = "\(failedCount + waiting.count)\(waiting.count < Self.limit ? "" : " or more")"
        let known = try await relay.payments(undelivered.map(\.0.merchantReference))
        let queries = try await relay.queriesWithoutChange(of: open.map(\.merchantReference))
        let steps = open.map { ($0, step(for: $0, after: queries[$0.merchantReference]?.newest)) }
        let maySupport = request.role.may(.queryGateway)
        return .page(
            Page(
                template: "attention", title: "Needs attention", menu: "Needs attention",
                view: [
                    "openCount": "\(summary.payments.count)", "overdueCount": "\(summary.payments.overdue)",
                    "undeliveredCount": View(sendsEvents ? undeliveredCount : nil),
                    "hasOpen": .flag(!open.isEmpty), "groups": View(groups(steps, request)),
                    "isCut": .flag(summary.payments.count > open.count), "limit": "\(Self.limit)",
                    "hasUndelivered": .flag(!undelivered.isEmpty), "sendsEvents": .flag(sendsEvents),
                    "undelivered": View(
                        undelivered.map { place, isSent in
                            [
                                "reference": .text(place.merchantReference), "since": View(place.at),
                                "link": .text(Links.payment(place.merchantReference)),
                                "resend": .text(Links.operation("resend", place.merchantReference)),
                                "isSent": .flag(isSent),
                                "taking": known[place.merchantReference].map { Taking(of: $0, to: request).view }
                                    ?? View.none,
                            ]
                        }),
                    "maySupport": .flag(maySupport), "hasFailed": .flag(!deadLettered.isEmpty),
                ]))
    }

    @Sendable private func resendFailed(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        switch try await relay.resendFailedEvents(by: request.operatorRequest) {
        case .notPermitted: throw ConsoleError.notPermitted(request.role, .resendEvents)
        case .resent(let count, let areMore):
            let what =
                count == 0
                ? "No event was sent: none had failed, requests about their payments are on their way, or their records cannot be read."
                : "The failed events of \(count == 1 ? "one payment" : "\(count) payments") are on their way to your backend."
            let rest = count > 0 && areMore ? " There are more: do it again in a moment." : ""
            return .redirect(to: Links.start, notice: Notice(text: what + rest, tone: count > 0 ? "good" : "quiet"))
        }
    }

    /// Returns the open payments grouped by cause. Each group has its count, the advice, and the section of the
    /// runbook. The group whose payment has waited longest comes first.
    private func groups(_ open: [(payment: Payment, step: NextStep)], _ request: ScreenRequest) -> [View] {
        var causes: [String] = []
        for (_, step) in open where !causes.contains(step.cause) { causes.append(step.cause) }
        return causes.map { cause in
            let group = open.filter { $0.step.cause == cause }
            return [
                "cause": .text(cause), "count": "\(group.count)", "advice": View(group.first?.step.advice),
                "section": View(group.first?.step.section),
                "open": View(group.map { row($0.payment, $0.step, request) }),
            ]
        }
    }

    private func step(for payment: Payment, after newest: QueryWithoutChange?) -> NextStep {
        NextStep(
            for: payment, after: newest, unavailability: relay.gateways.unavailability(of: payment),
            isOverdue: relay.isOverdue(payment), at: relay.gateways.title(of: payment))
    }

    private func row(_ payment: Payment, _ step: NextStep, _ request: ScreenRequest) -> View {
        let gateway = relay.gateways.title(of: payment)
        return [
            "reference": .text(payment.merchantReference), "link": .text(Links.payment(payment.merchantReference)),
            "amount": .text(Money.text(payment.amount, payment.currency)),
            "what": .text(
                payment.openOperation.map { "\($0.command.verb) of \(Money.text($0.amount, payment.currency))" }
                    ?? payment.state.label),
            "since": View(payment.openSince, agoAt: Date()), "isOverdue": .flag(relay.isOverdue(payment)),
            "gateway": .text(gateway),
            "next": step.view,
            "ask": .text(Links.operation("ask", payment.merchantReference)),
            "taking": Taking(of: payment, to: request).view,
        ]
    }
}
