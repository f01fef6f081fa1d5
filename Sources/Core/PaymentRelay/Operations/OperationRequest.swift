public import PayrelayPrimitives

/// Operations on an authorized payment. The raw value is the API's `command`.
public enum OperationCommand: String, Sendable, CaseIterable {
    /// Captures money that the authorization holds, all or part of it.
    case capture = "CAPTURE"
    /// Releases the money that the authorization holds, if none of it was captured.
    case voidAuthorization = "VOID_AUTHORIZATION"
    /// Refunds money that was captured, all or part of it.
    case refund = "REFUND"

    /// The operation in one word, for people.
    public var verb: String {
        switch self {
        case .capture: "Capture"
        case .voidAuthorization: "Void"
        case .refund: "Refund"
        }
    }
}

/// A request to capture, void or refund.
///
/// A repeated request must not move money again. `OperationIdempotency.swift` decides which requests are the same.
/// If a client captures or refunds the same amount twice, it gives the two requests different keys.
public struct OperationRequest: Sendable, Equatable {
    public let merchantReference: String
    public let command: OperationCommand
    /// The amount in minor units of the payment's currency; `nil` for all that is left. A void has no amount.
    public let amount: MinorUnits?
    /// ISO 4217, alphabetic; it must be the payment's currency. `nil` means the payment's currency.
    public let currency: String?
    /// The client's name of the operation among the payment's operations; `nil` if absent.
    public let maintenanceReference: String?
    /// The `Idempotency-Key` as the client, or the operator's form, sent it; `nil` if absent.
    public let idempotencyKey: String?
    /// Fields that only the gateway uses: `language`, `order_description`.
    public let fields: [String: String]
    /// The payments that the authenticated client may see; others are treated as absent. `nil` if clients are not
    /// authenticated.
    public let visible: VisiblePayments?
    /// The HTTP request's identifier, for the history and the log.
    public let identifier: String
    /// See ``PaymentOperation/givenReason``: cut to ``reasonLimit`` bytes.
    public let givenReason: String?
    /// The operator's request; `nil` for a client's request.
    public let operatorRequest: OperatorRequest?
    /// The ``Payment/version`` that the request is based on; `nil` if it does not matter. If the payment has
    /// changed since, the request is refused.
    public let basis: Int?

    public init(
        merchantReference: String, command: OperationCommand, amount: MinorUnits? = nil, currency: String? = nil,
        maintenanceReference: String? = nil, idempotencyKey: String? = nil, fields: [String: String] = [:],
        visible: VisiblePayments? = nil, identifier: String
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        self.currency = currency
        self.maintenanceReference = maintenanceReference
        self.idempotencyKey = idempotencyKey
        self.fields = fields
        self.visible = visible
        self.identifier = identifier
        givenReason = nil
        operatorRequest = nil
        basis = nil
    }

    /// The limit of ``givenReason``, in bytes.
    public static let reasonLimit = 400

    /// Creates the request of an operator who saw the payment in the version `basis`.
    public init(
        merchantReference: String, command: OperationCommand, amount: MinorUnits?, idempotencyKey: String,
        because reason: String? = nil, by request: OperatorRequest, basis: Int
    ) {
        self.merchantReference = merchantReference
        self.command = command
        self.amount = amount
        currency = nil
        maintenanceReference = nil
        self.idempotencyKey = idempotencyKey
        fields = [:]
        visible = nil
        identifier = request.identifier
        givenReason = reason.flatMap { $0.isEmpty ? nil : $0.storable(upTo: Self.reasonLimit) }
        operatorRequest = request
        self.basis = basis
    }
}

/// Why a capture, a void or a refund was not carried out. In every case this request moved no money.
public enum OperationRefusal: Error, Sendable, Equatable {
    case noSuchPayment
    /// The operator's role does not permit it.
    case notPermitted
    /// The payment has changed since the request was decided on.
    case changedSince
    /// The payment's record in the journal cannot be read.
    case recordUnreadable
    /// The payment's state does not permit the operation, or less than the requested amount is left.
    case notAllowed(reason: String)
    /// The currency is not the payment's.
    case otherCurrency(String)
    /// Another operation on this payment is open, or the requested one is.
    case inFlight
    /// The `maintenance_reference` belongs to another operation on this payment, or the idempotency key to another
    /// request.
    case idempotencyKeyTaken
    /// The gateway would refuse these fields.
    case invalid(ValidationErrors)
    /// The gateway could not be reached, and nothing was sent.
    case notSent(reason: String)
    /// No answer of the gateway for the payment's account has been verified since this process started
    /// (``UnverifiedAccount``). Nothing was recorded or sent.
    case accountUnverified(reason: String)
    /// The journal could not record the operation, so nothing was sent.
    case journalUnavailable(reason: String)
}

/// How an operation ended, once it was sent or a stored answer was found.
public struct OperationResult: Sendable, Equatable {
    public let operation: PaymentOperation
    /// Whether this is the stored answer to an earlier request.
    public let isReplay: Bool
}
