import AccessControl
import FoundationEssentials
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `GET /console/payment?reference=…`: one payment, from its claim to now, with the actions of operators that do
/// not move money.
struct PaymentScreen: Sendable {
    let relay: PaymentRelay
    let gateways: [GatewayPages]
    let sendsEvents: Bool

    var screens: [Screen] {
        [
            Screen(.get, "/console/payment", .look, respond: show),
            Screen(.post, "/console/payment/ask", .queryGateway, respond: ask),
            Screen(.post, "/console/payment/resend", .resendEvents, respond: resend),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let reference = try request.reference()
        guard let payment = try await relay.payment(reference) else { throw ConsoleError.noPayment(reference) }
        let history = try await relay.history(of: reference)
        let queries = try await relay.queriesWithoutChange(of: reference)
        let events = try await relay.events(of: reference) ?? []
        let shown = HistoryExcerpt(of: history)
        let gateway = relay.gateways.title(of: payment)
        let answer = answerShown(payment.receipt, of: payment, isOpen: payment.isOpen, summary: payment.summary)
        var view: [String: View] = [
            "reference": .text(reference), "state": .text(payment.state.label), "tone": .text(payment.state.tone),
            "meaning": .text(meaning(of: payment, after: queries.newest, at: gateway)), "gateway": .text(gateway),
            "amount": .text(money(payment.amount, payment)),
            "isOverdue": .flag(relay.isOverdue(payment)), "isOpen": .flag(payment.isOpen),
            "captured": .text(money(payment.balance.captured, payment)),
            "refunded": .text(money(payment.balance.refunded, payment)),
            "facts": View(facts(of: payment, answer)),
            "said": answer.view, "raw": View(answer.raw),
            "timeline": View(timeline(of: payment, shown.entries, queries)),
            "omitted": View(shown.omitted == 0 ? nil : "\(shown.omitted)"),
            "shownFirst": .text("\(HistoryExcerpt.first)"),
            "operations": View(payment.operations.reversed().map { operation($0, of: payment, history) }),
            "hasOperations": .flag(!payment.operations.isEmpty),
            "sendsEvents": .flag(sendsEvents),
        ]
        view["isDeclined"] = .flag(payment.state == .declined)
        let duplicates = await duplicates(of: payment, answer)
        view["duplicates"] = View(Array(duplicates.prefix(Self.duplicatesShown)))
        view["hasMoreDuplicates"] = .flag(duplicates.count > Self.duplicatesShown)
        view["events"] = View(events.map { $0.view(for: request.role) })
        view["hasEvents"] = .flag(!events.isEmpty)
        let resolve = try await ResolveScreen(relay: relay).move(on: payment, role: request.role)
        let next = sensibleAction(on: payment, events: events)
        view["moves"] = View(
            OperationKind.all.map { move($0, on: payment, role: request.role, isPrimary: next == $0.path) }
                + [resolve].compactMap(\.self))
        view["resolved"] = View.resolved(payment.resolution(in: history))
        view["taking"] = Taking(of: payment, to: request).view
        view["notes"] = View(NotesScreen.notes(in: history))
        view["note"] = [
            "action": .text(Links.operation("note", reference)), "limit": "\(OperatorNote.limit)",
            "why": View(request.role.obstacle(to: .writeNote)),
        ]
        view["ask"] = button(
            "Ask \(gateway) now", "ask", reference, request.role, .queryGateway,
            obstacle: payment.state == .notSent ? "Nothing was sent." : nil, isPrimary: next == "ask")
        view["resend"] =
            sendsEvents
            ? button(
                "Send its events again", "resend", reference, request.role, .resendEvents,
                obstacle: events.isEmpty ? "It has no event yet." : nil, isPrimary: next == "resend") : .none
        return .page(Page(template: "payment", title: reference, view: view))
    }

    @Sendable private func ask(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let reference = try request.reference()
        let gateway = try await relay.payment(reference).map { relay.gateways.title(of: $0) } ?? ""
        let notice: Notice
        switch try await relay.queryGateway(about: reference, by: request.operatorRequest) {
        case nil: throw ConsoleError.noPayment(reference)
        case .notPermitted: throw ConsoleError.notPermitted(request.role, .queryGateway)
        case .changed: notice = Notice(text: "\(gateway) was queried, and reported something new.", tone: "good")
        case .unchanged: notice = Notice(text: "\(gateway) was queried. Nothing has changed.", tone: "quiet")
        case .unanswered(let reason):
            notice = Notice(text: "\(gateway) was queried, and did not answer: \(reason)", tone: "open")
        case .notSent(let reason): notice = Notice(text: "\(gateway) was not queried: \(reason)", tone: "bad")
        case .requestUnderWay:
            notice = Notice(
                text: "\(gateway) was not queried: a request about this payment is on its way. Try again in a moment.",
                tone: "open")
        }
        return .redirect(to: Links.payment(reference), notice: notice)
    }

    @Sendable private func resend(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let reference = try request.reference()
        let notice: Notice
        switch try await relay.resendEvents(of: reference, by: request.operatorRequest) {
        case nil: throw ConsoleError.noPayment(reference)
        case .notPermitted: throw ConsoleError.notPermitted(request.role, .resendEvents)
        case .resent: notice = Notice(text: "Its events are on their way to the merchant's backend.", tone: "good")
        case .noEvents: notice = Notice(text: "Nothing was sent: the payment has no event.", tone: "quiet")
        case .beingSent:
            notice = Notice(
                text: "Nothing was sent: a request about the payment is on its way. Try again in a moment.",
                tone: "open")
        }
        return .redirect(to: Links.payment(reference), notice: notice)
    }

    // MARK: Parts

    /// Returns the path of the most likely next action; `nil` if nothing has to be done.
    private func sensibleAction(on payment: Payment, events: [EventView]) -> String? {
        if payment.isOpen { return "ask" }
        if events.contains(where: { $0.state == .deadLettered }) { return "resend" }
        return [.authorized, .partiallyCaptured].contains(payment.state) ? "capture" : nil
    }

    /// The number of possible duplicates that a page names. A longer list would push the actions off the screen.
    private static let duplicatesShown = 3

    /// Returns other payments that may be duplicates: they have the same customer or card and the same amount,
    /// are within a day of this payment, and took money, as did this payment. The payment nearest in time comes
    /// first.
    ///
    /// If a search fails, the page is shown without its results.
    private func duplicates(of payment: Payment, _ answer: AnswerShown) async -> [View] {
        guard payment.state.hasMoney else { return [] }
        var searches: [(word: String, query: PaymentQuery)] = []
        var query = PaymentQuery()
        query.amounts = payment.amount...payment.amount
        query.currency = payment.currency
        query.claimedFrom = payment.claimedAt - 86_400
        query.claimedTo = payment.claimedAt + 86_400
        query.limit = 20
        let fields = relay.gateways.vocabulary[payment.gateway]
        if let name = fields.cardNumber, let card = answer.card, let lastFour = payment.cardLastFour,
            let number = AnsweredText(card.number, in: [name])
        {
            query.cardNumber = number
            query.cardLastFour = lastFour
            searches.append(("the same card", query))
            (query.cardNumber, query.cardLastFour) = (nil, nil)
        }
        if let email = payment.emailDigest {
            query.emailDigest = email
            searches.append(("the same customer", query))
        }
        var found: [(payment: Payment, word: String)] = []
        for (word, query) in searches {
            let page = try? await relay.search(query)
            for other in page?.payments ?? [] where other.state.hasMoney {
                guard other.merchantReference != payment.merchantReference,
                    !found.contains(where: { $0.payment.merchantReference == other.merchantReference })
                else { continue }
                found.append((other, word))
            }
        }
        func seconds(to other: Payment) -> TimeInterval { other.claimedAt.timeIntervalSince(payment.claimedAt) }
        found.sort { abs(seconds(to: $0.payment)) < abs(seconds(to: $1.payment)) }
        return found.map { other, word in
            let distance = seconds(to: other)
            return [
                "reference": .text(other.merchantReference), "link": .text(Links.payment(other.merchantReference)),
                "why": .text("\(word), \(TimeDistance(distance).words) \(distance < 0 ? "before" : "after")"),
                "state": .text(other.state.label),
            ]
        }
    }

    private func meaning(of payment: Payment, after newest: QueryWithoutChange?, at gateway: String) -> String {
        guard payment.state == .uncertain else { return payment.state.meaning(at: gateway) }
        let unknown = "It is not known whether the card was charged."
        if let unavailability = relay.gateways.unavailability(of: payment) {
            let why = NextStep.isNotAsked(about: payment, because: unavailability)
            return "\(unknown) \(why) \(NextStep.advice(for: unavailability))"
        }
        guard newest?.answer == .implausible else { return payment.state.meaning(at: gateway) }
        return "\(unknown) \(NextStep.willNotSettle(at: gateway))"
    }

    private func money(_ amount: MinorUnits, _ payment: Payment) -> String { Money.text(amount, payment.currency) }

    private func answerShown(
        _ receipt: [UInt8]?, of payment: Payment, isOpen: Bool, summary: JSONObject = JSONObject()
    ) -> AnswerShown {
        AnswerShown(
            receipt: receipt, fields: relay.gateways.vocabulary[payment.gateway],
            pages: gateways.first { $0.gateway == payment.gateway }, isOpen: isOpen, summary: summary)
    }

    private func facts(of payment: Payment, _ answer: AnswerShown) -> [View] {
        var facts: [(name: String, value: String?, link: String?)] = [
            ("Command", payment.command.rawValue, nil), ("Client", payment.client, nil),
            ("Gateway", relay.gateways.title(of: payment), nil), ("Account", payment.account, nil),
            ("Apple's transaction", payment.appleTransactionIdentifier, nil),
        ]
        facts += answer.facts
        facts += answer.people(of: payment)
        if payment.isMadeElsewhere {
            facts.append(("Made", "external: the gateway reported it, and confirmed it when it was queried", nil))
        }
        if let month = payment.archiveMonth {
            facts.append(("Archived", "\(month): its history, answers and operations are in that month's file", nil))
        }
        if payment.isSimulated { facts.append(("Token", "the iOS Simulator's", nil)) }
        return facts.compactMap { fact in
            fact.value.map { ["name": .text(fact.name), "value": .text($0), "link": View(fact.link)] }
        }
    }

    /// Returns the history, the oldest entry first, so that it can be read as a story.
    private func timeline(
        of payment: Payment, _ history: [HistoryEntry], _ queries: [QueryWithoutChange]
    ) -> [View] {
        let gateway = relay.gateways.title(of: payment)
        var before: HistoryEntry?
        let asked = Dictionary(grouping: queries, by: \.afterEntry)
        return history.map { entry in
            defer { before = entry }
            let source = SourceWords(entry, at: gateway)
            let isSame = before?.state == entry.state && before?.balance == entry.balance
            return [
                "at": View(entry.at), "state": .text(entry.state.label), "tone": .text(entry.tone),
                "isSame": .flag(isSame),
                "captured": before?.balance.captured == entry.balance.captured || entry.balance.captured == .zero
                    ? .none : .text(money(entry.balance.captured, payment)),
                "refunded": before?.balance.refunded == entry.balance.refunded || entry.balance.refunded == .zero
                    ? .none : .text(money(entry.balance.refunded, payment)),
                "reason": View(entry.reason),
                "source": .text(source.text), "name": View(source.name),
                "times": View(entry.times > 1 ? "\(entry.times)" : nil), "since": View(entry.since),
                "asked": View((asked[entry.number] ?? []).map { $0.view(at: gateway) }),
                "request": View(entry.requestIdentifier),
                "hasEvent": .flag(entry.event != nil),
            ]
        }
    }

    private func operation(_ operation: PaymentOperation, of payment: Payment, _ history: [HistoryEntry]) -> View {
        let answer = answerShown(operation.receipt, of: payment, isOpen: operation.state.isOpen)
        return [
            "what": .text(operation.command.verb), "amount": .text(money(operation.amount, payment)),
            "state": .text(operation.state.label), "tone": .text(operation.state.tone),
            "begunAt": View(operation.begunAt), "maintenanceReference": View(operation.maintenanceReference),
            "givenReason": View(operation.givenReason), "resolved": .resolved(operation.resolution(in: history)),
            "said": answer.view, "raw": View(answer.raw),
        ]
    }

    /// Returns the link to an operation's form, or why the operation is not possible.
    private func move(_ kind: OperationKind, on payment: Payment, role: OperatorRole, isPrimary: Bool) -> View {
        let obstacle = kind.obstacle(on: payment, relay: relay)
        return [
            "title": .text(kind.command.verb),
            "link": .text(Links.operation(kind.path, payment.merchantReference, seen: payment.version)),
            "id": .text("why-\(kind.path)"), "isPrimary": .flag(isPrimary),
            "why": View(
                obstacle.map { "\($0.capitalizedASCII)." }
                    ?? role.obstacle(to: OperatorAction(kind.command))),
        ]
    }

    private func button(
        _ title: String, _ path: String, _ reference: String, _ role: OperatorRole, _ action: OperatorAction,
        obstacle: String?, isPrimary: Bool
    ) -> View {
        [
            "isPrimary": .flag(isPrimary),
            "title": .text(title), "action": .text(Links.operation(path, reference)), "id": .text("why-\(path)"),
            "why": View(obstacle ?? role.obstacle(to: action)),
        ]
    }
}

extension View {
    /// Returns which operator resolved a payment or an operation by hand, when and why.
    ///
    /// - Parameter entry: the history entry; `nil` if no operator resolved it.
    fileprivate static func resolved(_ entry: HistoryEntry?) -> View {
        guard let entry else { return .none }
        return [
            "at": View(entry.at), "name": View(entry.operatorName), "reason": View(entry.note),
        ]
    }
}

extension OperatorRole {
    /// Returns why a button is disabled; `nil` if the role permits the action.
    func obstacle(to action: OperatorAction) -> String? {
        may(action) ? nil : "It takes the role \(action.role.rawValue)."
    }
}
