import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// `GET` and `POST /console/payment/capture`, `/void` and `/refund`.
///
/// An operation takes two steps:
///
/// 1. The operator enters the amount.
/// 2. A page says what will happen, and the operator types the amount again. This form has its own idempotency
///    key, so that a double click or a reload moves the money only once.
///
/// Both steps belong to the state that the operator saw: their addresses name the payment's version. An older
/// form, from the "back" button or from another tab, is rejected.
struct OperationScreen: Sendable {
    let kind: OperationKind
    let relay: PaymentRelay

    var screens: [Screen] {
        [
            Screen(.get, "/console/payment/\(kind.path)", OperatorAction(kind.command), respond: show),
            Screen(.post, "/console/payment/\(kind.path)", OperatorAction(kind.command), respond: perform),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let payment = try await payment(request)
        guard let seen = try request.seenVersion() else {
            let amount = request.query["amount"].map { "&amount=\(Links.encoded($0))" } ?? ""
            return .redirect(to: Links.operation(kind.path, payment.merchantReference, seen: payment.version) + amount)
        }
        guard seen == payment.version else { throw try await relay.changedSince(seen, payment) }
        guard let left = kind.left(on: payment, relay: relay) else {
            throw notAllowed(kind.obstacle(on: payment, relay: relay) ?? "")
        }
        guard kind.takesAmount else { return .page(confirmation(of: left, left: left, payment)) }
        guard let typed = request.query["amount"] else { return .page(question(payment, left: left, typed: nil)) }
        do throws(InvalidAmount) {
            return .page(confirmation(of: try amount(typed, payment, left: left), left: left, payment))
        } catch {
            return .page(question(payment, left: left, typed: typed, error: error.description))
        }
    }

    @Sendable private func perform(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let payment = try await payment(request)
        guard let key = request.form["key"], Self.isKey(key) else {
            throw ConsoleError.invalid("It lacks its idempotency key. Nothing was done. Open it again.")
        }
        guard let seen = try request.seenVersion() else {
            throw ConsoleError.invalid("It does not say on which state of the payment it was opened. Nothing was done.")
        }
        // The amount is read before the version is compared, so that a form that is sent again gets the answer of
        // the first time, whatever amount is left now.
        let amount: MinorUnits
        do throws(AmountError) {
            amount = try Money.parse(request.form["amount"] ?? "", payment.currency)
        } catch {
            throw ConsoleError.invalid("Its amount \(error). Nothing was done.")
        }
        // Only a new form is checked. A form that is sent again gets the answer of the first time.
        if seen == payment.version, let wrong = obstacle(to: amount, on: payment, request) {
            let left = kind.left(on: payment, relay: relay) ?? amount
            var page = confirmation(
                of: amount, left: left, payment, key: key, reason: request.form["reason"], error: wrong)
            page.status = .badRequest
            return .page(page)
        }
        do throws(OperationRefusal) {
            let result = try await relay.perform(
                OperationRequest(
                    merchantReference: payment.merchantReference, command: kind.command,
                    amount: kind.takesAmount ? amount : nil, idempotencyKey: key,
                    because: request.form["reason"], by: request.operatorRequest, basis: seen))
            return .redirect(to: Links.payment(payment.merchantReference), notice: notice(of: result, on: payment))
        } catch .changedSince {
            throw try await relay.changedSince(seen, try await self.payment(request))
        } catch {
            throw self.error(error, role: request.role)
        }
    }

    /// Returns why the form cannot be accepted yet, as a sentence; `nil` if it can.
    private func obstacle(to amount: MinorUnits, on payment: Payment, _ request: ScreenRequest) -> String? {
        guard let typed = request.form["confirmation"], (try? Money.parse(typed, payment.currency)) == amount else {
            return
                "That is not the amount. Type \(Money.number(amount, payment.currency)) to confirm. Nothing was done."
        }
        guard let equal = relay.recentEqual(to: kind.command, of: amount, on: payment), request.form["again"] != "yes"
        else { return nil }
        return
            "\(kind.equalSentence(equal, of: payment)) Nothing was done this time. Confirm that it is to be done again."
    }

    private func notice(of result: OperationResult, on payment: Payment) -> Notice {
        let what = "\(kind.command.verb) of \(Money.text(result.operation.amount, payment.currency))"
        let again = result.isReplay ? " This is the answer to the first time; nothing was sent again." : ""
        let state = result.operation.state
        let words =
            switch state {
            case .done: "done."
            case .declined, .notProcessed: "\(state.label.lowercasedASCII). No money moved."
            case .processing, .uncertain, .pending:
                "The gateway has not said yet whether it is done. The relay sends queries until it knows."
            }
        return Notice(text: "\(what): \(words)\(again)", tone: state.tone)
    }

    private func error(_ refusal: OperationRefusal, role: OperatorRole) -> ConsoleError {
        switch refusal {
        case .noSuchPayment: .noPayment("")
        case .notPermitted: .notPermitted(role, OperatorAction(kind.command))
        case .changedSince: .changedSince("")
        case .recordUnreadable: .unreadableRecord
        case .notAllowed(let reason): notAllowed(reason)
        case .otherCurrency, .idempotencyKeyTaken:
            ConsoleError(
                status: .conflict, title: "This form was used already",
                detail: "It was sent before with another amount. Nothing was done this time.")
        case .inFlight:
            ConsoleError(
                status: .conflict, title: "Something is under way on this payment",
                detail:
                    "This form was sent already, or another operation is open. Nothing was sent twice. Open the payment to see how it ends."
            )
        case .invalid(let errors):
            ConsoleError(
                status: .badRequest, title: "The gateway would refuse this",
                detail: errors.errors.map { "\($0.field) \($0.detail)" }.joined(separator: "; ") + ". Nothing was sent."
            )
        case .notSent(let reason):
            ConsoleError(
                status: .serviceUnavailable, title: "The gateway could not be reached",
                detail: "Nothing was sent, and no money moved: \(reason). Try again later.")
        case .accountUnverified(let reason):
            ConsoleError(
                status: .serviceUnavailable, title: "The account is not verified yet",
                detail: "Nothing was sent, and no money moved: \(reason). Health has the account's state.")
        case .journalUnavailable(let reason):
            ConsoleError(
                status: .serviceUnavailable, title: "The journal could not record it",
                detail: "Nothing was sent this time: \(reason).")
        }
    }

    private func notAllowed(_ reason: String) -> ConsoleError {
        ConsoleError(
            status: .conflict, title: "\(kind.command.verb) is not possible",
            detail: "\(reason.capitalizedASCII). Nothing was done.")
    }

    // MARK: Pages

    private func payment(_ request: ScreenRequest) async throws -> Payment {
        let reference = try request.reference()
        guard let payment = try await relay.payment(reference) else { throw ConsoleError.noPayment(reference) }
        return payment
    }

    private func amount(
        _ typed: String, _ payment: Payment, left: MinorUnits
    ) throws(InvalidAmount) -> MinorUnits {
        let amount: MinorUnits
        do throws(AmountError) {
            amount = try Money.parse(typed, payment.currency)
        } catch {
            throw InvalidAmount("“\(typed)” \(error).")
        }
        guard amount > .zero else { throw InvalidAmount("Nothing would be \(kind.pastTense).") }
        guard amount <= left else {
            throw InvalidAmount("Only \(Money.text(left, payment.currency)) is left to \(kind.path).")
        }
        return amount
    }

    /// Returns the page of the first step.
    private func question(_ payment: Payment, left: MinorUnits, typed: String?, error: String? = nil) -> Page {
        var page = page(payment)
        page.status = error == nil ? .ok : .badRequest
        return page.with([
            "question": [
                "amount": .text(typed ?? Money.number(left, payment.currency)),
                "left": .text(Money.text(left, payment.currency)), "error": View(error),
                "action": .text("/console/payment/\(kind.path)"), "seen": .text(String(payment.version)),
                "isWrong": .flag(error != nil),
            ]
        ])
    }

    /// Returns the page of the second step.
    private func confirmation(
        of amount: MinorUnits, left: MinorUnits, _ payment: Payment, key: String = newKey(), reason: String? = nil,
        error: String? = nil
    ) -> Page {
        let answer = AnswerShown(
            receipt: payment.receipt, fields: relay.gateways.vocabulary[payment.gateway], pages: nil,
            isOpen: payment.isOpen, summary: payment.summary)
        let card = answer.card.map { ($0.title, $0.number as String?, nil as String?) }
        let facts = ([card].compactMap(\.self) + answer.people(of: payment)).compactMap { name, value, _ -> View? in
            value.map { ["name": .text(name), "value": .text($0)] }
        }
        let equal = relay.recentEqual(to: kind.command, of: amount, on: payment)
        return page(payment).with([
            "confirmation": [
                "sentence": .text(kind.sentence(amount, left: left, of: payment)),
                "amount": .text(Money.number(amount, payment.currency)),
                "money": .text(Money.text(amount, payment.currency)),
                "facts": View(facts), "hasFacts": .flag(!facts.isEmpty), "reason": View(reason),
                "reasonLimit": "\(OperationRequest.reasonLimit / 2)",
                "key": .text(key), "error": View(error), "isWrong": .flag(error != nil),
                "equal": View(equal.map { kind.equalSentence($0, of: payment) }),
                "action": .text(Links.operation(kind.path, payment.merchantReference, seen: payment.version)),
            ]
        ])
    }

    private func page(_ payment: Payment) -> Page {
        Page(
            template: "operation", title: "\(kind.command.verb) \(payment.merchantReference)",
            view: [
                "verb": .text(kind.command.verb), "reference": .text(payment.merchantReference),
                "back": .text(Links.payment(payment.merchantReference)), "currency": .text(payment.currency),
            ])
    }

    private static func newKey() -> String { keyPrefix + Sessions.randomText() }

    private static let keyPrefix = "console-"

    private static func isKey(_ text: String) -> Bool {
        text.after(keyPrefix).flatMap { Base64URL.decode($0) }?.count == 32
    }
}

/// Why a typed amount is invalid, as a sentence.
private struct InvalidAmount: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Page {
    fileprivate func with(_ parts: [String: View]) -> Page {
        Page(
            status: status, template: template, title: title, menu: menu, view: view.merging(parts) { $1 })
    }
}
