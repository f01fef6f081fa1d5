import ApplePayToken
import Crypto
import FoundationEssentials
import PayrelayPrimitives

/// The event of a change, written with it: the payment as it was at that moment, whatever becomes of it until the
/// backend acknowledges the event.
///
/// An event holds what the gateway proved, or what an operator stated in the gateway's place. There is no event for what is open, for
/// the begin of an operation, or for what never left this process. `docs/events.md` has the table.
struct EventContent {
    let before: Payment?
    let after: Payment
    let kind: EntryKind
    let at: Date
    let proof: GatewayAnswer?
    /// Why an operator states the change, if no answer proves it.
    let statement: OperatorNote?

    /// Returns the event's JSON without its identifier, which only the journal can give; `nil` if the change has no event.
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
        // Nothing that tells who the customer is: see ``AnswerField``.
        let shown = proof?.summary ?? [:]
        // What the gateway says of another charge, it does not say of the payment.
        let isAboutPayment = settledOperation == nil && !isSecondCharge
        event["payment"] = .object(after.eventJSON(with: isAboutPayment ? shown : [:]))
        event["second_charge"] = isSecondCharge ? proof.map { .object($0.chargeJSON) } : nil
        event["operation"] = settledOperation.map { .object($0.eventJSON(with: shown)) }
        return JSON.object(event).encoded()
    }

    /// `payment.…` where the payment has become another one, `capture.…` and the like where an operation came to nothing;
    /// `payment.second_charge` where the gateway has another charge under the reference; nil where the answer leaves open what happened.
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

    /// The operation that the change is about, as it leaves it.
    private var settledOperation: PaymentOperation? {
        before?.operations.last == after.operations.last ? nil : after.operations.last
    }
}

extension GatewayAnswer {
    /// What the answer proves of a charge that is not the payment's: amounts in minor units, and the members of a receipt.
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
    /// By the names that `GET /v1/payments/{merchant_reference}` has.
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
    /// The same each time it is sent, and no other event's, so that a backend can recognize a repetition. ASCII
    /// letters, digits and underscores: it stands in a header field and between the full stops of what is signed.
    public let identifier: String
    /// JSON: what the journal kept of it, after its identifier.
    public let body: [UInt8]

    /// - Throws: ``UnreadableEvent`` where no version of this code wrote it, or it is about another payment.
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
    /// - Parameters:
    ///   - number: of the entry of the history that the event is about, counted from 1.
    ///   - moment: the entry's time. After a restore of an older backup the same number may be another event.
    static func identifier(of merchantReference: String, number: Int, at moment: Date) -> String {
        // A reference may hold any characters, and is the merchant's choice.
        let reference = SHA256.hash(data: Array(merchantReference.utf8)).prefix(16)
        return "evt_\(HexText(encoding: reference).text)_\(number)_\(EpochMilliseconds(moment).milliseconds)"
    }
}

/// The journal's record of an event is not as any version of this code wrote it.
struct UnreadableEvent: Error {}

/// Where events are sent: the merchant's own backend.
public protocol EventReceiver: Sendable {
    /// How long one delivery may take.
    var timeout: Duration { get }

    /// Sends the event once.
    ///
    /// - Returns: once the backend has answered, or will not.
    func deliver(_ event: MerchantEvent) async -> DeliveryResult
}

/// How a delivery went.
public enum EventReception: Sendable, Equatable {
    case acknowledged
    /// The backend answered that it did not take the event.
    case refused(reason: String)
    /// No answer; the backend may have it all the same, and gets it again.
    case unanswered(reason: String)
}
