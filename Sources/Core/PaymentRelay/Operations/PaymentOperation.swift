public import FoundationEssentials
public import PayrelayPrimitives

/// A capture, a void or a refund of a payment, as the journal keeps it with the payment.
///
/// An operation that was not sent is only in the history. A payment has at most one open operation: gateways do not
/// number captures, so the captured total in an answer could not distinguish two concurrent captures.
public struct PaymentOperation: Sendable, Equatable {
    /// The state of an operation.
    public enum State: String, Sendable, CaseIterable {
        /// The operation is recorded, and its request may be on its way.
        case processing
        /// The gateway may have carried it out. The gateway is queried until it says so or not.
        case uncertain
        /// The gateway has the operation and has not decided.
        case pending
        case done
        /// The gateway refused the operation. No money moved.
        case declined
        /// The gateway's totals show that the operation was never carried out.
        case notProcessed = "not_processed"

        /// Whether it is still unknown if the operation was done.
        public var isOpen: Bool {
            switch self {
            case .processing, .uncertain, .pending: true
            case .done, .declined, .notProcessed: false
            }
        }
    }

    /// The operation's identifier, which the instance that began the operation chose: see ``newIdentifier()``.
    public let identifier: String
    public let command: OperationCommand
    /// In minor units of the payment's currency. The amount of a void is the authorized amount.
    public let amount: MinorUnits
    /// The amount that the request named, in minor units; `nil` if it named none, so that all that was left is meant.
    public let requestedAmount: MinorUnits?
    /// The client's name of the operation among the payment's operations. The gateway gets it with a refund.
    public let maintenanceReference: String?
    /// The `Idempotency-Key` as journals keep it (``KeyUse``); `nil` if the request had none.
    public let idempotencyKey: String?
    /// The reason, in the words of the operator who requested the operation. It may be about the customer, so it is
    /// erased with the customer's data.
    public var givenReason: String?
    /// Captured and refunded amounts when the operation began.
    public let before: Balance
    public let begunAt: Date
    public var state: State
    /// When the operation reached its state.
    public var changedAt: Date
    /// The answer to clients, as JSON bytes; `nil` while the operation is processing. Replays return these bytes.
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

    /// Whether both values are the same operation, in any state.
    func isSame(as other: PaymentOperation) -> Bool { identifier == other.identifier }

    /// The captured and refunded amounts once the operation is done; `nil` if a sum exceeds the maximum amount.
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

/// Journals keep a payment's operations as one JSON array in the payment's row. So the operations and the remaining
/// amount change together or not at all.
extension PaymentOperation {
    /// - Throws: ``UnreadableOperations`` if no version of this code wrote the bytes.
    package static func operations(from bytes: [UInt8]) throws(UnreadableOperations) -> [PaymentOperation] {
        guard let elements = (try? JSON(parsing: bytes))?.arrayValue,
            elements.count <= PaymentRelay.operationLimit
        else { throw UnreadableOperations() }
        var operations: [PaymentOperation] = []
        for element in elements { operations.append(try PaymentOperation(json: element)) }
        return operations
    }

    /// Returns the operations as JSON bytes; `nil` if there are none.
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

/// The error for operations that no version of this code wrote.
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
