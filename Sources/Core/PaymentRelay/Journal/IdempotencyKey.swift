/// The use of an idempotency key: the charge or the operation that the key belongs to (R1).
///
/// - A key is in the namespace of one client or one operator.
/// - A key belongs to the first request that was carried out with it: to the charge of one payment, or to one
///   capture, void or refund of one payment.
/// - A repeat of that request gets the stored answer. Every other request with the key is refused.
/// - A journal writes the key in the transaction that claims the order or begins the operation
///   (``Journal/commit(_:)``). It keeps the key as long as the payment, also after the payment was archived.
/// - A journal deletes the key in the transaction that records that nothing was sent (R4).
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

    /// Returns a key as journals keep it: its owner's name, a space, and the key. Neither owners' names nor
    /// clients' keys contain a space, so two owners cannot have the same stored key.
    func named(_ key: String) -> String {
        switch self {
        case .client(nil): key
        case .client(let name?): "\(name) \(key)"
        case .operator(let name): "operator \(name) \(key)"
        }
    }
}

/// The effect of a payment's change on an idempotency key, in the same transaction: a charge or an operation takes the
/// key, or the key becomes free because nothing was sent.
public enum KeyChange: Sendable, Equatable {
    /// A charge or an operation begins. The key belongs to it from now on. If the key already belongs to something
    /// else, nothing is written.
    ///
    /// - operation: the operation's identifier; `nil` if the key belongs to the payment's charge.
    case taken(String, operation: String?)
    /// The operation with this key was not sent, so the key is free.
    case releasedByOperation(String)
    /// The charge was not sent, so its key, if any, is free.
    case releasedByCharge
}

extension Change {
    /// The change of an idempotency key that is written with this change; `nil` if no key changes.
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
