import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// A capture (`confirmPreauth`), a void (`rejectPreauth`) or a refund (`return`) of a payment.
///
/// An operation is sent once. It is done if the answer:
/// - names the order,
/// - has the status that the operation leads to,
/// - states the amount of a capture or a refund. A refund's amount is negative and must be the requested one. A
///   capture's amount may be larger than requested: it is the amount that was captured.
///
/// After an error, the operation is declined in two cases, and stays open in all others:
/// - The error's code refuses the operation (``PortmoneFailure/isRefusal``), and `result` shows the status from
///   before the operation.
/// - `result` shows the payment's bill in a status that excludes the operation.
///
/// No public document defines these rules. The error codes are known only from recorded answers, and any doubt
/// leaves the operation open.
struct PortmoneOperation {
    let payment: Payment
    let operation: PaymentOperation
    /// The fields under the API's names. A refund sends `order_description` as its message.
    let fields: [String: String]

    /// Every error of the operation, to be reported before anything is recorded.
    var errors: [ValidationError] {
        var errors: [ValidationError] = []
        if operation.command == .capture, operation.before.captured > .zero {
            errors.append(
                ValidationError(
                    field: "command",
                    detail: "must not be CAPTURE: Portmone captures a hold only once, and a part was captured"))
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

    /// The payment's amount is not compared, because an operation has an amount of its own.
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
        // A refund is excluded, because a return may have a number of its own.
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

    /// Queries `result` after an error, and decides whether the operation is declined.
    ///
    /// An error does not prove that nothing was done. A proxy may have sent the request twice, or Portmone may
    /// carry out the operation after the close of its day. A declined operation may be requested again, so it
    /// would then be done twice.
    private func confirm(
        _ failure: PortmoneFailure, _ entry: PortmoneEntry, _ choice: PortmoneClients.Choice,
        for gateway: PortmoneGateway,
        until deadline: Deadline
    ) async -> Outcome<GatewayAnswer> {
        let query = OrderQuery(
            client: choice.client, identity: identity(choice),
            period: ResultPeriod(since: payment.firstBill, at: gateway.now()), ownBill: payment.gatewayReference,
            isOperatedOn: operation.command != .refund)
        let standing = BillStanding(await query.answer(until: deadline), of: payment.gatewayReference)
        switch (operation.command, standing) {
        // `result` shows the status from before the operation, and the code refuses the operation.
        case (.capture, .held), (.voidAuthorization, .held):
            if failure.isRefusal { return declined(entry) }
        // If the list shows less than was given back before, it is out of date and says nothing about this
        // refund.
        case (.refund, .paid(_, returned: let returned, isOwn: _)):
            let isAsBefore =
                returned.map(\.isSum) ?? true && (returned?.amount ?? .zero) == operation.before.refunded
            if failure.isRefusal, isAsBefore { return declined(entry) }
        // The bill's status excludes the operation.
        case (.capture, .letGo): return declined(entry, authorized: .zero)
        case (.refund, .letGo): return declined(entry)
        // A smaller amount excludes this capture. A larger amount may be the whole hold, of which this capture
        // took a part.
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
    ///   - authorized: zero if nothing is held anymore; `nil` otherwise.
    ///   - captured: the amount that was captured outside of this operation; `nil` if there is none. If either
    ///     amount is set, the relay then queries the payment.
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

/// The state of the payment's bill, according to an answer to `result`.
private enum BillStanding {
    /// The bill's money is held; nothing was captured.
    case held
    /// Money was captured.
    ///
    /// - Parameter isOwn: whether the bill is known to be the payment's, by its number.
    case paid(MinorUnits?, returned: ReturnedAmount?, isOwn: Bool)
    /// The bill is known to be the payment's, by its number, and is REJECTED.
    case letGo
    /// There is no answer, or the answer does not show the state of this bill.
    case undecided

    /// - Parameter number: the number of the payment's bill; `nil` if it is not known. A failed bill may then
    ///   belong to an earlier attempt, and a paid bill to another payment.
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
