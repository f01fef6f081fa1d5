import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import UnderWay

/// `GET /console/live`: payments as they happen, by server-sent events.
///
/// The page shows the newest entries of ``ChangesScreen``'s list, grouped by payment. Every second, a watcher is
/// sent the payments with the newest changes, except those that it already has in their current state. No queue
/// is kept for a watcher: a slow watcher skips what happened in the meantime, and the state for each watcher is
/// bounded by ``NewestPayments/count``.
struct LiveScreen: Sendable {
    let newest: NewestPayments
    /// Whether the relay is stopping.
    let isDraining: @Sendable () -> Bool
    /// The maximum number of live pages, in total and for one operator. Each page uses one of the listener's few
    /// connections.
    static let limit = 24
    static let limitOfOperator = 4
    private let watchers = Slots<String>(limit: limit)
    /// The time between two looks at the journal.
    var interval = Duration.seconds(1)

    var screens: [Screen] {
        [
            Screen(.get, "/console/live", .look) { _ in
                .page(
                    Page(template: "live", title: "Live", menu: "Live", view: ["count": "\(NewestPayments.count)"]))
            },
            Screen(.get, "/console/live/events", .look, respond: watch),
        ]
    }

    @Sendable private func watch(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let slot = try slot(of: request.session.entry.name)
        return .events { [newest, interval, isDraining, isSessionOpen = request.isSessionOpen] write in
            defer { withExtendedLifetime(slot) {} }
            let vocabulary = newest.relay.gateways.vocabulary
            var told: [String: String] = [:]
            var looks = 0
            while isSessionOpen(), !isDraining() {
                let rows = await newest.payments().reversed().map {
                    ($0.merchantReference, Self.row($0, vocabulary[$0.gateway]))
                }
                let changed = rows.filter { told[$0.0] != $0.1 }.map { "event: payment\ndata: \($0.1)\n\n" }
                told = Dictionary(rows) { $1 }
                looks = changed.isEmpty ? looks + 1 : 0
                if !changed.isEmpty {
                    try await write(changed.joined())
                } else if looks % Self.looksOfSilence == 0 {
                    // Detects a browser that has gone, and keeps a proxy from closing the connection as idle.
                    try await write(": nothing new\n\n")
                }
                try await Task.sleep(for: interval)
            }
            try await write("event: end\ndata: \n\n")
        }
    }

    /// Takes a slot for a live page of an operator.
    ///
    /// - Throws: ``ConsoleError`` 503 if all slots are taken, 429 if the operator has taken all of theirs.
    func slot(of name: String) throws(ConsoleError) -> Slots<String>.Slot {
        if let slot = watchers.take([.init(holder: name, limit: .atMost(Self.limitOfOperator))]) { return slot }
        guard watchers.hasRoom() else {
            throw ConsoleError(
                status: .serviceUnavailable, title: "Too many are watching",
                detail: "At most \(Self.limit) pages are live at once. The list of payments shows the same.")
        }
        throw ConsoleError(
            status: .tooManyRequests, title: "You have too many live pages open",
            detail:
                "An operator may have \(Self.limitOfOperator) live pages at once. Close one, and open this one again.")
    }

    private static let looksOfSilence = 5

    /// Returns a payment as JSON on one line.
    private static func row(_ payment: Payment, _ fields: AnswerFields) -> String {
        let listing = payment.listing
        let moment = payment.claimedAt.rfc3339
        let json: JSONObject = [
            "reference": .string(payment.merchantReference), "link": .string(Links.payment(payment.merchantReference)),
            "state": .string(payment.state.label), "tone": .string(payment.state.tone),
            "amount": .string(Money.text(payment.amount, payment.currency)),
            "card": fields.cardNumber.flatMap { listing[$0] } ?? "",
            "said": fields.message.flatMap { listing[$0] } ?? "",
            "client": .string(payment.client ?? ""), "claimed": .string(moment),
        ]
        return String(decoding: JSON.object(json).encoded(), as: UTF8.self)
    }
}
