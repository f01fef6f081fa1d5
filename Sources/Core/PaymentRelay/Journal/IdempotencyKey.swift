/// The rule of idempotency keys, for charges and for operations (R1).
///
/// A key of one client, or of one operator, belongs to the first request that was carried out with it: to the charge of one
/// payment, or to one capture, void or refund of one payment. The same request again gets the stored answer. Every other request
/// with the key is refused, whatever else it says.
///
/// A journal writes the key in the transaction that claims the order or begins the operation (``Journal/commit(_:)``) and
/// keeps it as long as the payment, also after the payment was archived. It deletes the key in the
/// transaction that records that nothing was sent (R4).
///
/// ``Change/obstacle(known:keyUse:isTokenUsed:)`` decides for charges, `OperationIdempotency.swift` for operations.
public struct KeyUse: Sendable, Equatable {
    public let merchantReference: String
    /// The operation's ``PaymentOperation/identifier``; `nil` if the key belongs to the payment's charge.
    public let operation: String?

    public init(of merchantReference: String, operation: String? = nil) {
        self.merchantReference = merchantReference
        self.operation = operation
    }
}

/// The namespace of an idempotency key: two owners may choose the same key.
enum KeyOwner {
    /// `nil` if clients are not authenticated.
    case client(String?)
    case `operator`(String)

    /// Returns a key as journals keep it: after its owner's name. A name of an owner, and a client's key, contain no space, so that
    /// no two owners have a key in common.
    func named(_ key: String) -> String {
        switch self {
        case .client(nil): key
        case .client(let name?): "\(name) \(key)"
        case .operator(let name): "operator \(name) \(key)"
        }
    }
}

/// The change of a key that is written with a change of a payment.
public enum KeyChange: Sendable, Equatable {
    /// A charge or an operation begins: the key belongs to it, unless the key belongs to something already. Then nothing is written.
    ///
    /// - operation: `nil` if the key belongs to the payment's charge.
    case taken(String, operation: String?)
    /// An operation with this key was not sent: the key is free.
    case releasedByOperation(String)
    /// The charge was not sent: its key is free, if it has one.
    case releasedByCharge
}

extension Change {
    /// The change of a key that is written with the change; `nil` if no key changes.
    public var keyChange: KeyChange? {
        if let claimed { return claimed.idempotencyKey.map { .taken($0, operation: nil) } }
        guard let before else { return nil }
        if releasesToken { return .releasedByCharge }
        let (earlier, later) = (before.operations.last, after.operations.last)
        guard earlier?.identifier != later?.identifier else { return nil }
        if after.operations.count > before.operations.count, let later, let key = later.idempotencyKey {
            return .taken(key, operation: later.identifier)
        }
        if after.operations.count < before.operations.count, let key = earlier?.idempotencyKey {
            return .releasedByOperation(key)
        }
        return nil
    }

    /// Whether the payment gives up its token: nothing was sent with it.
    public var releasesToken: Bool { after.state.freesTokenAndKey && before?.state.freesTokenAndKey == false }
}
