import AccessControl
import Crypto
import FoundationEssentials
import HTTPTypes
import Observability
import PaymentRelay
import PayrelayPrimitives

/// `GET /console/customer?email=…`: a customer's payments with their sums; and `/console/customer/forget`, which
/// erases the customer's data from those payments.
///
/// Erasing takes two steps, like moving money: a page that lists what will be erased and what is kept, and a form
/// in which the email is typed again. The form belongs to the listed payments: if one of them has changed, or
/// another was added, the form is rejected.
struct CustomerScreen: Sendable {
    let relay: PaymentRelay

    /// The maximum number of payments of one form. A customer with more payments is erased in several steps.
    static let limit = PaymentQuery.limits.upperBound

    var screens: [Screen] {
        [
            Screen(.get, "/console/customer", .look, respond: show),
            Screen(.get, "/console/customer/forget", .forget) { request in
                let (email, payments) = try await customer(request)
                return .page(form(email, payments))
            },
            Screen(.post, "/console/customer/forget", .forget, respond: forget),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let email = try Self.email(request)
        var query = Self.query(email)
        query.limit = PaymentQuery.usualLimit
        if let after = request.query["after"] {
            guard let place = PaymentCursor(after) else { throw ConsoleError.notFound }
            query.after = place
        }
        let found = try await relay.search(query)
        let totals = try await relay.totals(of: query)
        let customers = found.payments.map(\.customer)
        let facts = [
            ("Name", customers.map(\.name)), ("Phone", customers.map(\.phoneNumber)),
            ("Card on the phone", customers.map(\.cardDisplayName)),
        ]
        let obstacle = request.role.obstacle(to: .forget)
        return .page(
            Page(
                template: "customer", title: email, menu: "Payments",
                view: [
                    "email": .text(email), "rows": View(found.payments.map { $0.row(of: relay) }),
                    "hasRows": .flag(!found.payments.isEmpty), "totals": View(totals.sums.map(\.view)),
                    "lookedAt": View(totals.lookedAt.map { $0.text }),
                    "facts": View(facts.flatMap { name, values in Self.facts(name, values) }),
                    "next": View(found.next.map { Links.customer(email) + "&after=\(Links.encoded($0.text))" }),
                    "filter": .text(Links.payments([("q", email)])),
                    "forget": found.payments.isEmpty
                        ? .none : ["link": .text(Links.customer(email, "/forget")), "why": View(obstacle)],
                ]))
    }

    @Sendable private func forget(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let (email, payments) = try await customer(request)
        let digest = EmailDigest(of: email)
        guard request.form["seen"] == Self.seen(payments) else { throw ConsoleError.customerChangedSince }
        guard let typed = request.form["confirmation"], EmailDigest(of: typed) == digest else {
            var page = form(email, payments, error: "That is not the email. Nothing was erased.")
            page.status = .badRequest
            return .page(page)
        }
        let references = payments.filter { $0.erasureObstacle == nil }.map(\.merchantReference)
        switch try await relay.forget(digest, in: references, by: request.operatorRequest) {
        case .notPermitted: throw ConsoleError.notPermitted(request.role, .forget)
        case .erased(let count, let isInFiles):
            let what = "The customer's data were erased from \(count == 1 ? "one payment" : "\(count) payments")."
            let files = isInFiles ? " They are removed from the journal's files within an hour." : ""
            return .redirect(
                to: Links.customer(email),
                notice: Notice(text: what + files, tone: count == references.count ? "good" : "open"))
        }
    }

    // MARK: Parts

    /// Returns the newest payments with the email in the address.
    private func customer(_ request: ScreenRequest) async throws -> (email: String, payments: [Payment]) {
        let email = try Self.email(request)
        var query = Self.query(email)
        query.limit = Self.limit
        return (email, try await relay.search(query).payments)
    }

    private static func email(_ request: ScreenRequest) throws(ConsoleError) -> String {
        guard let email = request.query["email"].flatMap({ SearchText.email(in: $0) }) else {
            throw ConsoleError(
                status: .badRequest, title: "Which customer?", detail: "Search for an email, and follow its link.")
        }
        return email
    }

    private static func query(_ email: String) -> PaymentQuery {
        var query = PaymentQuery(visibleTo: .everything)
        query.emailDigest = EmailDigest(of: email)
        return query
    }

    /// Returns a text that changes if the payments change. Each reference is followed by a character that
    /// references cannot contain, so different lists cannot give the same text.
    private static func seen(_ payments: [Payment]) -> String {
        let text = payments.map { "\($0.merchantReference)\n\($0.version)\n" }.joined()
        return Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))))
    }

    /// Returns the distinct values as facts with the same name.
    private static func facts(_ name: String, _ values: [String?]) -> [View] {
        var seen: Set<String> = []
        return values.compactMap(\.self).filter { seen.insert($0).inserted }.map {
            ["name": .text(name), "value": .text($0)]
        }
    }

    private func form(_ email: String, _ payments: [Payment], error: String? = nil) -> Page {
        let erasable = payments.count { $0.erasureObstacle == nil }
        return Page(
            template: "forget", title: "Forget \(email)", menu: "Payments",
            view: [
                "email": .text(email), "back": .text(Links.customer(email)),
                "action": .text(Links.customer(email, "/forget")), "seen": .text(Self.seen(payments)),
                "count": .text(erasable == 1 ? "one payment" : "\(erasable) payments"),
                "isErasable": .flag(erasable > 0), "isCut": .flag(payments.count == Self.limit),
                "limit": "\(Self.limit)", "error": View(error), "isWrong": .flag(error != nil),
                "payments": View(
                    payments.map { payment in
                        [
                            "reference": .text(payment.merchantReference),
                            "link": .text(Links.payment(payment.merchantReference)),
                            "state": .text(payment.state.label), "tone": .text(payment.state.tone),
                            "amount": .text(Money.text(payment.amount, payment.currency)),
                            "claimed": View(payment.claimedAt), "kept": View(payment.erasureObstacle?.description),
                        ]
                    }),
            ])
    }
}
