import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// `GET` and `POST /console/payment/resolve`: an operator resolves a payment by hand if the gateway leaves its
/// outcome open.
///
/// The form belongs to the version of the payment that the operator saw, and has the amount twice. So a second
/// submission, a reload, and the form of a slower operator are rejected.
struct ResolveScreen: Sendable {
    let relay: PaymentRelay

    private static let path = "resolve"

    var screens: [Screen] {
        [
            Screen(.get, "/console/payment/\(Self.path)", .resolvePayment, respond: show),
            Screen(.post, "/console/payment/\(Self.path)", .resolvePayment, respond: resolve),
        ]
    }

    /// Returns the link to the form, or why the form is not offered yet; `nil` if the payment is not open.
    func move(on payment: Payment, role: OperatorRole) async throws(JournalError) -> View? {
        guard payment.isOpen else { return nil }
        let obstacle = try await relay.obstacle(toResolving: payment)
        return [
            "title": "Settle by hand",
            "link": .text(Links.operation(Self.path, payment.merchantReference, seen: payment.version)),
            "id": .text("why-\(Self.path)"),
            "why": View(obstacle.map { "\($0.description.capitalizedASCII)." } ?? role.obstacle(to: .resolvePayment)),
        ]
    }

    @Sendable private func show(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let payment = try await payment(request)
        guard let seen = try request.seenVersion() else {
            return .redirect(to: Links.operation(Self.path, payment.merchantReference, seen: payment.version))
        }
        guard seen == payment.version else { throw try await relay.changedSince(seen, payment) }
        if let obstacle = try await relay.obstacle(toResolving: payment) { throw notNow(obstacle) }
        return .page(form(for: payment, filledWith: .empty))
    }

    @Sendable private func resolve(_ request: ScreenRequest) async throws -> ConsoleAnswer {
        let payment = try await payment(request)
        guard let seen = try request.seenVersion() else {
            throw ConsoleError.invalid("It does not say on which state of the payment it was opened. Nothing was done.")
        }
        guard seen == payment.version else { throw try await relay.changedSince(seen, payment) }
        let statement: ResolutionRequest
        do throws(InvalidField) {
            statement = try Self.statement(request, about: payment)
        } catch {
            return .page(form(for: payment, filledWith: request.form, error: error.sentence))
        }
        do throws(ResolutionRefusal) {
            _ = try await relay.resolve(statement)
            return .redirect(
                to: Links.payment(payment.merchantReference),
                notice: Notice(text: "Settled by hand: \(statement.resolution.label.lowercasedASCII).", tone: "good"))
        } catch {
            switch error {
            case .noSuchPayment: throw ConsoleError.noPayment(payment.merchantReference)
            case .notPermitted: throw ConsoleError.notPermitted(request.role, .resolvePayment)
            case .changedSince: throw try await relay.changedSince(seen, try await self.payment(request))
            case .journal(let error): throw error
            case .notOpen, .requestUnderWay, .tooEarly: throw notNow(error)
            case .notPossible, .amountsDiffer, .noAmount, .otherAmount, .tooLargeAmount:
                let sentence = "\(error.description.capitalizedASCII)."
                return .page(form(for: payment, filledWith: request.form, error: sentence))
            }
        }
    }

    // MARK: Parts

    private func payment(_ request: ScreenRequest) async throws -> Payment {
        let reference = try request.reference()
        guard let payment = try await relay.payment(reference) else { throw ConsoleError.noPayment(reference) }
        return payment
    }

    /// Reads the form.
    ///
    /// - Throws: ``InvalidField`` with the sentence for the operator.
    private static func statement(
        _ request: ScreenRequest, about payment: Payment
    ) throws(InvalidField) -> ResolutionRequest {
        guard let resolution = request.form["as"].flatMap(Resolution.init) else {
            throw InvalidField("Choose what became of it.")
        }
        let reason: OperatorNote
        do throws(OperatorNoteError) {
            reason = try OperatorNote(request.form["reason"] ?? "")
        } catch {
            switch error {
            case .empty: throw InvalidField("The reason has no text.")
            case .tooLong: throw InvalidField("The reason may have \(OperatorNote.limit) characters.")
            }
        }
        return ResolutionRequest(
            merchantReference: payment.merchantReference, resolution: resolution,
            amount: try amount("amount", "The amount", request, payment),
            confirmation: try amount("confirmation", "The second amount", request, payment), reason: reason,
            by: request.operatorRequest, basis: payment.version)
    }

    private static func amount(
        _ name: String, _ title: String, _ request: ScreenRequest, _ payment: Payment
    ) throws(InvalidField) -> MinorUnits {
        do throws(AmountError) {
            return try Money.parse(request.form[name] ?? "", payment.currency)
        } catch {
            throw InvalidField("\(title) \(error).")
        }
    }

    private func notNow(_ refusal: ResolutionRefusal) -> ConsoleError {
        ConsoleError(
            status: .conflict, title: "It cannot be settled by hand now",
            detail: "\(refusal.description.capitalizedASCII). Nothing was done.")
    }

    private func form(for payment: Payment, filledWith typed: FormBody, error: String? = nil) -> Page {
        let order = Money.text(payment.amount, payment.currency)
        let open = payment.openOperation
        let what =
            open.map { "\($0.command.verb) of \(Money.text($0.amount, payment.currency))" } ?? "payment of \(order)"
        let resolutions = payment.possibleResolutions
        let form: View = [
            "gateway": .text(relay.gateways.title(of: payment)), "what": .text(what),
            "action": .text(Links.operation(Self.path, payment.merchantReference, seen: payment.version)),
            "resolutions": View(
                resolutions.map { resolution in
                    [
                        "value": .text(resolution.rawValue), "label": .text(resolution.label),
                        "isChosen": .flag(typed["as"] == resolution.rawValue),
                    ]
                }),
            "amounts": View(
                resolutions.map { resolution in
                    let (most, isExact) = payment.amount(of: resolution)
                    let money = Money.text(most, payment.currency)
                    return .text(
                        "\(resolution.label): \(isExact ? money : "what was captured in all, at most \(money)")")
                }),
            "amount": View(typed["amount"]), "confirmation": View(typed["confirmation"]),
            "reason": View(typed["reason"]), "reasonLimit": "\(OperatorNote.limit)",
            "error": View(error.map { "\($0) Nothing was done." }), "isWrong": .flag(error != nil),
        ]
        return Page(
            status: error == nil ? .ok : .badRequest, template: "operation",
            title: "Settle \(payment.merchantReference) by hand",
            view: [
                "verb": "Settle by hand:", "reference": .text(payment.merchantReference),
                "back": .text(Links.payment(payment.merchantReference)), "currency": .text(payment.currency),
                "resolution": form,
            ])
    }
}

/// Why a field of the form is invalid, as a sentence.
private struct InvalidField: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}

extension Resolution {
    var label: String {
        switch self {
        case .captured: PaymentState.captured.label
        case .authorized: PaymentState.authorized.label
        case .declined: PaymentState.declined.label
        case .voided: PaymentState.voided.label
        case .notProcessed: PaymentState.notProcessed.label
        case .done: PaymentOperation.State.done.label
        }
    }
}
