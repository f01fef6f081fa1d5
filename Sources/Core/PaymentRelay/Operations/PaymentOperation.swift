public import FoundationEssentials
public import PayrelayPrimitives

/// A capture, a void or a refund of a payment, as the journal keeps it with the payment.
///
/// An operation that was not sent is in the history alone. A payment has at most one open operation: gateways do not
/// number captures, so the captured total in an answer could not tell two concurrent ones apart.
public struct PaymentOperation: Sendable, Equatable {
    /// Where it stands.
    public enum State: String, Sendable, CaseIterable {
        /// Recorded; its request may be on its way.
        case processing
        /// The gateway may have done it; it is asked until it says.
        case uncertain
        /// The gateway has it and has not decided.
        case pending
        case done
        /// The gateway refused it: no money moved.
        case declined
        /// The gateway's totals show that it never happened.
        case notProcessed = "not_processed"

        /// Whether the answer to "was it done?" is still open.
        public var isOpen: Bool {
            switch self {
            case .processing, .uncertain, .pending: true
            case .done, .declined, .notProcessed: false
            }
        }
    }

    /// The operation's own identifier, which the instance that began it chose: see ``newIdentifier()``.
    public let identifier: String
    public let command: OperationCommand
    /// In minor units of the payment's currency. The amount of a void is the authorized amount.
    public let amount: MinorUnits
    /// The amount that the request named, in minor units; `nil` if it asked for all that was left.
    public let requestedAmount: MinorUnits?
    /// The client's name of the operation among the payment's operations. A gateway gets it with a refund.
    public let maintenanceReference: String?
    /// The `Idempotency-Key` as journals keep it (``KeyUse``); `nil` if the request had none.
    public let idempotencyKey: String?
    /// Why, in the words of the operator who asked for it. Erased with the customer's data, of whom it may tell.
    public var givenReason: String?
    /// Captured and refunded amounts when the operation began.
    public let before: Balance
    public let begunAt: Date
    public var state: State
    /// When it came to its state.
    public var changedAt: Date
    /// The answer to clients, as JSON bytes; nil while the operation is processing. Replays return these bytes.
    public var receipt: [UInt8]?

    public init(
        identifier: String = newIdentifier(), command: OperationCommand, amount: MinorUnits,
        requestedAmount: MinorUnits? = nil, maintenanceReference: String?, idempotencyKey: String?,
        givenReason: String? = nil, before: Balance, begunAt: Date, state: State = .processing, changedAt: Date? = nil,
        receipt: [UInt8]? = nil
    ) {
        self.identifier = identifier
        self.command = command
        self.amount = amount
        self.requestedAmount = requestedAmount
        self.maintenanceReference = maintenanceReference
        self.idempotencyKey = idempotencyKey
        self.givenReason = givenReason
        self.before = before
        self.begunAt = begunAt
        self.state = state
        self.changedAt = changedAt ?? begunAt
        self.receipt = receipt
    }

    /// Returns 32 random hexadecimal digits (128 bits from the system's generator), which no other operation has.
    public static func newIdentifier() -> String {
        HexText(encoding: (0..<16).map { _ in UInt8.random(in: .min ... .max) }).text
    }

    /// Whether both are the same operation, in whatever state.
    func isSame(as other: PaymentOperation) -> Bool { identifier == other.identifier }

    /// Captured and refunded amounts once the operation is done; nil if a sum exceeds the maximum amount.
    package var after: Balance? {
        switch command {
        case .capture:
            before.captured.adding(amount).map { Balance(captured: $0, refunded: before.refunded) }
        case .voidAuthorization: before
        case .refund:
            before.refunded.adding(amount).map { Balance(captured: before.captured, refunded: $0) }
        }
    }
}

/// How journals keep a payment's operations: as one JSON array in the payment's own row, so that what was done with a
/// payment and what is left of it change together or not at all.
extension PaymentOperation {
    /// - Throws: ``UnreadableOperations`` where no version of this code wrote it.
    package static func operations(from bytes: [UInt8]) throws(UnreadableOperations) -> [PaymentOperation] {
        guard let elements = (try? JSON(parsing: bytes))?.arrayValue,
            elements.count <= PaymentRelay.operationLimit
        else { throw UnreadableOperations() }
        var operations: [PaymentOperation] = []
        for element in elements { operations.append(try PaymentOperation(json: element)) }
        return operations
    }

    /// Nil for none.
    public static func encoded(_ operations: [PaymentOperation]) -> [UInt8]? {
        operations.isEmpty ? nil : JSON.array(operations.map(\.json)).encoded()
    }

    private var json: JSON {
        var json: JSONObject = [
            "id": .string(identifier), "command": .string(command.rawValue), "amount": JSON(amount),
            "captured_before": JSON(before.captured), "refunded_before": JSON(before.refunded),
            "begun_at": JSON(EpochMilliseconds(begunAt).milliseconds), "state": .string(state.rawValue),
            "changed_at": JSON(EpochMilliseconds(changedAt).milliseconds),
        ]
        json["requested_amount"] = requestedAmount.map { JSON($0) }
        json["idempotency_key"] = idempotencyKey.map { .string($0) }
        json["maintenance_reference"] = maintenanceReference.map { .string($0) }
        json["given_reason"] = givenReason.map { .string($0) }
        json["receipt"] = receipt.map { .string(String(decoding: $0, as: UTF8.self)) }
        return .object(json)
    }

    private init(json: JSON) throws(UnreadableOperations) {
        guard let identifier = json["id"]?.stringValue, !identifier.isEmpty,
            let command = json["command"]?.stringValue.flatMap(OperationCommand.init),
            let amount = json["amount"]?.amount,
            let captured = json["captured_before"]?.amount, let refunded = json["refunded_before"]?.amount,
            let begunAt = json["begun_at"]?.moment, let changedAt = json["changed_at"]?.moment,
            let state = json["state"]?.stringValue.flatMap(State.init)
        else { throw UnreadableOperations() }
        self.init(
            identifier: identifier, command: command, amount: amount, requestedAmount: json["requested_amount"]?.amount,
            maintenanceReference: json["maintenance_reference"]?.stringValue,
            idempotencyKey: json["idempotency_key"]?.stringValue, givenReason: json["given_reason"]?.stringValue,
            before: Balance(captured: captured, refunded: refunded),
            begunAt: begunAt, state: state, changedAt: changedAt,
            receipt: json["receipt"]?.stringValue.map { Array($0.utf8) })
    }
}

/// The operations of a payment are not as any version of this code wrote them.
package struct UnreadableOperations: Error, Equatable, Sendable {}

extension JSON {
    fileprivate var amount: MinorUnits? {
        if case .number(let literal) = self { MinorUnits(parsing: literal) } else { nil }
    }

    fileprivate var moment: Date? {
        guard case .number(let literal) = self, let milliseconds = Int(literal) else { return nil }
        return EpochMilliseconds(milliseconds: milliseconds)?.date
    }
}
