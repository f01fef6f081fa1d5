import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// A capture (`confirmPreauth`), a void (`rejectPreauth`) or a refund (`return`) of a payment.
///
/// An operation is sent once. It is done if the answer names the order, has the status of what was asked for, and states its amount,
/// which is negative for a return. A capture may take more than was asked for: the answer's amount is what it took. After an error it is
/// declined in two cases, and open in every other:
/// - the error's code refuses the operation (``PortmoneFailure/isRefusal``), and `result` shows the status from before;
/// - `result` shows the payment's own bill in a status that excludes the operation.
struct PortmoneOperation {
    let payment: Payment
    let operation: PaymentOperation
    /// By the API's names: `order_description` goes with a return as its message.
    let fields: [String: String]

    /// Every error, before anything is recorded.
    var errors: [ValidationError] {
        var errors: [ValidationError] = []
        if operation.command == .capture, operation.before.captured > .zero {
            errors.append(
                ValidationError(
                    field: "command",
                    detail: "must not be CAPTURE: Portmone takes what is held once, and a part was taken"))
        }
        if operation.command != .voidAuthorization, payment.currency != Currency.UAH.code {
            errors.append(
                ValidationError(
                    field: "command",
                    detail:
                        "must not be \(operation.command.rawValue) of \(payment.currency): Portmone takes no currency for it and keeps bills in hryvnias; do it in Portmone's cabinet"
                ))
        }
        if let text = fields["order_description"], text.unicodeScalars.count > 150 {
            errors.append(ValidationError(field: "order_description", detail: "must be at most 150 characters"))
        }
        for name in fields.keys.filter({ !["language", "order_description"].contains($0) }).sorted() {
            errors.append(ValidationError(field: name, detail: "is not a field of an operation at Portmone"))
        }
        return errors
    }

    func send(_ choice: PortmoneClients.Choice, for gateway: PortmoneGateway) async -> Outcome<GatewayAnswer> {
        guard errors.isEmpty, let currency = Currency(code: payment.currency) else {
            return .notSent(reason: "the operation has errors that were not seen before")
        }
        let deadline = Deadline(in: gateway.timeout)
        let outcome = await send(choice.client, currency, timeout: gateway.timeout)
        guard case .answered(let answer) = outcome else { return outcome.map { _ in undecided("", nil) } }
        switch answer.content {
        case .nothing: return .unknown(reason: "Portmone answered nothing")
        case .failure(let failure, let entry):
            return await confirm(failure, entry, choice, for: gateway, until: deadline)
        case .entries(let entries):
            guard let entry = entries.first, entries.count == 1 else {
                return .unknown(reason: "Portmone's answer has \(entries.count) bills")
            }
            if let failure = entry.failure {
                return await confirm(failure, entry, choice, for: gateway, until: deadline)
            }
            return judge(entry, choice)
        }
    }

    private var bill: BillName {
        payment.gatewayReference.map { .bill($0) } ?? .order(payment.merchantReference)
    }

    private func send(
        _ client: PortmoneClient, _ currency: Currency, timeout: Duration
    ) async -> Outcome<PortmoneAnswer> {
        switch operation.command {
        case .capture:
            await client.send(
                ConfirmPreauthRequest(
                    shopOrderNumber: payment.merchantReference, shopBillID: payment.gatewayReference,
                    amount: operation.amount, currency: currency), timeout: timeout)
        case .voidAuthorization: await client.send(RejectPreauthRequest(bill), timeout: timeout)
        case .refund:
            await client.send(
                ReturnRequest(
                    bill, amount: operation.amount, currency: currency, message: fields["order_description"]),
                timeout: timeout)
        }
    }

    /// The amounts of operations are their own, so the payment's is not compared.
    private func identity(_ choice: PortmoneClients.Choice) -> PaymentIdentity {
        choice.entry.identity(of: payment.merchantReference, currency: payment.currency, amount: nil)
    }

    private func judge(_ entry: PortmoneEntry, _ choice: PortmoneClients.Choice) -> Outcome<GatewayAnswer> {
        let proven: ProvenEntry
        do throws(EvidenceError) {
            proven = try identity(choice).proof(in: entry, naming: .order)
        } catch {
            return .unknown(reason: "Portmone's answer proves nothing: \(error)")
        }
        // A return may have a number of its own.
        if operation.command != .refund, let known = payment.gatewayReference, let other = proven.shopBillID {
            guard known.isExactly(other) else {
                return .unknown(reason: "Portmone's answer proves nothing: its shopBillId is not the payment's")
            }
        }
        switch (operation.command, proven.status) {
        case (.capture, .payed) where proven.amount.map { $0 >= operation.amount } ?? false:
            return .answered(
                GatewayAnswer(
                    .captured, entry: entry, reference: payment.gatewayReference ?? proven.shopBillID,
                    captured: proven.amount))
        case (.voidAuthorization, .rejected):
            return .answered(
                GatewayAnswer(
                    .voided, entry: entry, reference: payment.gatewayReference ?? proven.shopBillID))
        case (.refund, .returned) where proven.isNegative && proven.amount == operation.amount:
            return .answered(GatewayAnswer(.refunded, entry: entry, reference: payment.gatewayReference))
        default:
            return .answered(
                undecided(
                    "Portmone answered \(entry.status?.rawValue ?? "no status") and not what was asked for", entry))
        }
    }

    /// An error may have another reason than that nothing was done: a proxy that asked twice, or an operation that Portmone carries out
    /// after the close of its day. An operation that is declined may be requested again, and would then be done twice.
    private func confirm(
        _ failure: PortmoneFailure, _ entry: PortmoneEntry, _ choice: PortmoneClients.Choice,
        for gateway: PortmoneGateway,
        until deadline: Deadline
    ) async -> Outcome<GatewayAnswer> {
        let question = OrderQuestion(
            client: choice.client, identity: identity(choice),
            period: ResultPeriod(since: payment.firstBill, at: gateway.now()), ownBill: payment.gatewayReference,
            isOperatedOn: operation.command != .refund)
        let standing = BillStanding(await question.ask(until: deadline), of: payment.gatewayReference)
        switch (operation.command, standing) {
        // The status from before, and a code that refuses.
        case (.capture, .held), (.voidAuthorization, .held):
            if failure.isRefusal { return declined(entry) }
        // A list that shows less than was given back before is behind, and says nothing of this refund.
        case (.refund, .paid(_, returned: let returned, isOwn: _)):
            let isAsBefore =
                returned.map(\.isSum) ?? true && (returned?.amount ?? .zero) == operation.before.refunded
            if failure.isRefusal, isAsBefore { return declined(entry) }
        // A status that excludes the operation.
        case (.capture, .letGo): return declined(entry, authorized: .zero)
        case (.refund, .letGo): return declined(entry)
        // More than was asked for may be the whole hold, of which this capture took a part.
        case (.capture, .paid(let amount, returned: nil, isOwn: true)):
            if amount ?? operation.amount < operation.amount { return declined(entry, captured: amount) }
        case (.voidAuthorization, .paid(let amount, returned: _, isOwn: true)): return declined(entry, captured: amount)
        case (.capture, .paid), (.voidAuthorization, .paid), (.voidAuthorization, .letGo), (.refund, .held),
            (_, .undecided):
            break
        }
        return .answered(undecided("Portmone answered \(failure), and result does not confirm it", entry))
    }

    /// - Parameters:
    ///   - authorized: zero where nothing is held any more.
    ///   - captured: where money was taken elsewhere. As with `authorized`, the relay then asks about the payment.
    private func declined(
        _ entry: PortmoneEntry, authorized: MinorUnits? = nil, captured: MinorUnits? = nil
    ) -> Outcome<GatewayAnswer> {
        .answered(
            GatewayAnswer(.declined, entry: entry, reference: nil, authorized: authorized, captured: captured))
    }

    private func undecided(_ reason: String, _ entry: PortmoneEntry?) -> GatewayAnswer {
        GatewayAnswer(.pending(reason: reason), entry: entry, reference: payment.gatewayReference)
    }
}

/// Where the payment's bill stands, by an answer to `result`.
private enum BillStanding {
    /// Its money is held; nothing was taken.
    case held
    /// Money was taken.
    ///
    /// - Parameter isOwn: whether the bill's number is the payment's own, which is known.
    case paid(MinorUnits?, returned: ReturnedAmount?, isOwn: Bool)
    /// The payment's own bill, whose number is known, is REJECTED.
    case letGo
    /// No answer, or one that does not say where this bill stands.
    case undecided

    /// - Parameter number: of the payment's own bill. If it is not known, a failed bill may be an earlier try's, and a paid one another
    ///   payment's.
    init(_ answered: Outcome<OrderState>, of number: String?) {
        switch answered {
        case .answered(.held(let bill)): self = number == nil || bill.shopBillID == number ? .held : .undecided
        case .answered(.paid(let bill, let returned)):
            self = .paid(bill.amount, returned: returned, isOwn: number != nil && bill.shopBillID == number)
        case .answered(.rejected(let bills)):
            self = number != nil && bills.contains { $0.shopBillID == number } ? .letGo : .undecided
        case .answered, .notSent, .unknown: self = .undecided
        }
    }
}
