import ApplePayToken
import Crypto
import FoundationEssentials
import PayrelayPrimitives

/// The event of a change, written with the change. It shows the payment as it was at that moment, even if the
/// payment changes before the backend acknowledges the event.
///
/// An event contains only what the gateway proved, or what an operator stated instead. There is no event for an
/// open outcome, for the beginning of an operation, or for a request that never left this process. `docs/events.md`
/// has the table.
struct EventContent {
    let before: Payment?
    let after: Payment
    let kind: EntryKind
    let at: Date
    let proof: GatewayAnswer?
    /// An operator's reason for stating the change, if no answer proves it.
    let statement: OperatorNote?

    /// Returns the event's JSON without its identifier, which only the journal can give; `nil` if the change has no
    /// event.
    func encoded() -> [UInt8]? {
        guard proof != nil || statement != nil, let type = eventType else { return nil }
        var event: JSONObject = [
            "type": .string(type),
            "occurred_at": .string(at.rfc3339InMilliseconds),
            "merchant_reference": .string(after.merchantReference),
            "outcome": .string(after.state.rawValue),
        ]
        if let statement {
            event["source"] = "operator"
            event["given_reason"] = .string(statement.text)
        }
        // Nothing that identifies the customer: see ``AnswerField``.
        let shown = proof?.summary ?? [:]
        // An answer about another charge says nothing about the payment.
        let isAboutPayment = settledOperation == nil && !isSecondCharge
        event["payment"] = .object(after.eventJSON(with: isAboutPayment ? shown : [:]))
        event["second_charge"] = isSecondCharge ? proof.map { .object($0.chargeJSON) } : nil
        event["operation"] = settledOperation.map { .object($0.eventJSON(with: shown)) }
        return JSON.object(event).encoded()
    }

    /// The event's type; `nil` if the answer leaves open what happened.
    ///
    /// - `payment.…` if the payment has another state or balance, or its charge was settled.
    /// - `capture.…`, `void.…` or `refund.…` if an operation was declined or not processed, and the payment did not
    ///   change.
    /// - `payment.second_charge` if the gateway has another charge with the reference.
    private var eventType: String? {
        guard kind.contradiction == nil else { return isSecondCharge ? "payment.second_charge" : nil }
        guard let operation = settledOperation else {
            return after.state.isOpen ? nil : "payment.\(after.state.rawValue)"
        }
        if operation.state.isOpen { return nil }
        if operation.state == .done || after.state != before?.state || after.balance != before?.balance {
            return "payment.\(after.state.rawValue)"
        }
        return "\(operation.command.eventSubject).\(operation.state.rawValue)"
    }

    private var isSecondCharge: Bool { kind.contradiction == .secondCharge }

    /// The operation that the change is about, as the change leaves it.
    private var settledOperation: PaymentOperation? {
        before?.operations.last == after.operations.last ? nil : after.operations.last
    }
}

extension GatewayAnswer {
    /// The proven values of a charge that is not the payment's charge: amounts in minor units, and the members of a
    /// receipt.
    fileprivate var chargeJSON: JSONObject {
        var json = JSONObject()
        json["amount"] = authorized.map { JSON($0) }
        json["captured_amount"] = (totals?.captured ?? captured).map { JSON($0) }
        json["refunded_amount"] = (totals?.refunded).map { JSON($0) }
        for member in summary.members { json[member.name] = member.value }
        return json
    }
}

extension Payment {
    /// Returns the payment under the names that `GET /v1/payments/{merchant_reference}` uses.
    fileprivate func eventJSON(with summary: JSONObject) -> JSONObject {
        var json: JSONObject = [
            "merchant_reference": .string(merchantReference), "command": .string(command.rawValue),
            "outcome": .string(state.rawValue), "amount": JSON(amount), "currency": .string(currency),
            "captured_amount": JSON(balance.captured), "refunded_amount": JSON(balance.refunded),
        ]
        json["processor"] = .string(gateway)
        json["account"] = account.map { .string($0) }
        json["apple_transaction_identifier"] = appleTransactionIdentifier.map { .string($0) }
        json["made_elsewhere"] = isMadeElsewhere ? true : nil
        json["unproven"] = unprovenMembers
        for member in summary.members { json[member.name] = member.value }
        return json
    }
}

extension PaymentOperation {
    fileprivate func eventJSON(with summary: JSONObject) -> JSONObject {
        var json: JSONObject = ["command": .string(command.rawValue)]
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["amount"] = JSON(amount)
        json["outcome"] = .string(state.rawValue)
        json["given_reason"] = givenReason.map { .string($0) }
        for member in summary.members { json[member.name] = member.value }
        return json
    }
}

extension OperationCommand {
    fileprivate var eventSubject: String {
        switch self {
        case .capture: "capture"
        case .voidAuthorization: "void"
        case .refund: "refund"
        }
    }
}

/// An event as the merchant's backend gets it.
public struct MerchantEvent: Sendable, Equatable {
    /// An identifier that no other event has, and that is the same each time the event is sent, so that a backend
    /// recognizes repetitions. It consists of ASCII letters, digits and underscores, because it is in a header
    /// field and between the full stops of the signed text.
    public let identifier: String
    /// The JSON of the event: its identifier, then the members that the journal kept.
    public let body: [UInt8]

    /// - Throws: ``UnreadableEvent`` if no version of this code wrote the event, or it is about another payment.
    init(_ due: DueEvent) throws(UnreadableEvent) {
        guard let recorded = (try? JSON(parsing: due.recorded))?.objectValue, recorded["id"] == nil,
            recorded["type"]?.stringValue != nil, recorded["merchant_reference"] == .string(due.merchantReference)
        else { throw UnreadableEvent() }
        identifier = Self.identifier(of: due.merchantReference, number: due.number, at: due.at)
        body = JSON.object(JSONObject([("id", .string(identifier))] + recorded.members.map { ($0.name, $0.value) }))
            .encoded()
    }
}

extension MerchantEvent {
    /// Returns an event's identifier.
    ///
    /// - Parameters:
    ///   - number: the number of the history's entry that the event is about, counted from 1.
    ///   - moment: the entry's time. It is needed because after an older backup is restored, another event may get
    ///     the same number.
    static func identifier(of merchantReference: String, number: Int, at moment: Date) -> String {
        // A reference is the merchant's choice, and may contain any characters.
        let reference = SHA256.hash(data: Array(merchantReference.utf8)).prefix(16)
        return "evt_\(HexText(encoding: reference).text)_\(number)_\(EpochMilliseconds(moment).milliseconds)"
    }
}

/// The error for a record of an event that no version of this code wrote.
struct UnreadableEvent: Error {}

/// The destination of events: the merchant's backend.
public protocol EventReceiver: Sendable {
    /// The maximum duration of one delivery.
    var timeout: Duration { get }

    /// Sends the event once.
    ///
    /// - Returns: the result, once the backend has answered or its time is over.
    func deliver(_ event: MerchantEvent) async -> DeliveryResult
}

/// How the backend received an event.
public enum EventReception: Sendable, Equatable {
    case acknowledged
    /// The backend answered that it did not accept the event.
    case refused(reason: String)
    /// There was no answer. The backend may have the event all the same, and gets it again.
    case unanswered(reason: String)
}
