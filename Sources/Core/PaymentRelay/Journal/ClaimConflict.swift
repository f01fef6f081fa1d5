public import Crypto
import PayrelayPrimitives

/// Conflicts of a claim with what is stored, decided here for every journal.
///
/// R1, R2: a reference belongs to one request. R13: a token pays one order. An idempotency key belongs to one order. A
/// journal looks up what it has under the three and asks ``Claim/conflict(with:isTokenUsed:isKeyTaken:)``; that the
/// look-up and the write are one step is its own part, by a transaction or by unique constraints.
extension Claim {
    /// Returns the conflict that forbids the claim; nil if it is to be written, in place of `known` if that is present.
    ///
    /// - Parameters:
    ///   - known: the payment under the claim's reference, if any, or why it cannot be read.
    ///   - isTokenUsed: whether a payment holds the claim's token. Called only where there is one, and the
    ///     reference can be claimed.
    ///   - isKeyTaken: whether a payment holds the claim's idempotency key. Called only where there is a key, and the reference
    ///     and the token can be claimed.
    public func conflict<Failure: Error>(
        with known: Result<Payment, UnreadableRecord>?, isTokenUsed: () throws(Failure) -> Bool,
        isKeyTaken: (_ key: String) throws(Failure) -> Bool
    ) throws(Failure) -> ClaimResult? {
        switch known {
        case .failure(let record): return .recordUnreadable(record)
        case .success(let known) where !known.canBeClaimedAgain(by: self): return .referenceTaken(known)
        case .success, nil: break
        }
        if token != nil, try isTokenUsed() { return .tokenTaken }
        if let idempotencyKey, try isKeyTaken(idempotencyKey) { return .idempotencyKeyTaken }
        return nil
    }
}

extension Payment {
    /// Whether its reference is free: nothing was sent, and the claim is the same client's, whose history it is. Or the
    /// payment was made elsewhere, and was declined or is another account's than the claim's: references are each account's own,
    /// and what was tried elsewhere must not keep an order from being paid. It is taken while an operation on the payment is open:
    /// after another claim nobody would ask about that operation. Once the payment is archived, it is taken for ever.
    func canBeClaimedAgain(by claim: Claim) -> Bool {
        guard archivedVersion == nil, openOperation == nil else { return false }
        return isMadeElsewhere
            ? !hasAccount(of: claim.payment) || state == .declined
            : state == .notSent && client == claim.payment.client
    }
}

extension PaymentState {
    /// Whether a payment that comes to this state gives up its token and its idempotency key: nothing was sent with
    /// them.
    public var freesTokenAndKey: Bool { self == .notSent }
}

extension ClaimResult {
    /// Written, in the place of what was known of the reference.
    public static func claimed(inPlaceOf known: Payment?) -> ClaimResult {
        guard let known, known.isMadeElsewhere else { return .claimed }
        return .claimedInPlaceOf(known)
    }
}

/// A request's claim of an order's reference and of the payment token, if one pays it. A class for the reason of ``PaymentChange``.
public final class Claim: Sendable {
    /// In the state `processing`; its reference is claimed.
    public let payment: Payment
    /// The SHA-256 of what Apple signed. Nil if a stored card pays, or the iOS Simulator, whose payments all have one identifier. The
    /// journal knows the token by ``tokenIdentifier``.
    public let token: SHA256Digest?
    /// The client's `Idempotency-Key`; nil if absent.
    public let idempotencyKey: String?
    /// The first entry of the history.
    public let entry: HistoryEntry

    public init(payment: Payment, token: SHA256Digest?, idempotencyKey: String?, entry: HistoryEntry) {
        self.payment = payment
        self.token = token
        self.idempotencyKey = idempotencyKey
        self.entry = entry
    }

    /// What the token is known by (Apple's step 5): the first 32 bytes of its `transactionId`, hex. Nil without a token.
    ///
    /// Apple signs the identifier with `applicationData` right behind it. So the signature stays valid where `applicationData` is moved to
    /// the identifier's end. Apple's identifiers have 32 bytes, and no more of one counts.
    public var tokenIdentifier: String? {
        token.flatMap { _ in payment.appleTransactionIdentifier }.map { $0.beginning(64) }
    }
}

/// How a claim ended.
public enum ClaimResult: Sendable, Equatable {
    /// The order is the request's, and its claim is durable.
    case claimed
    /// As ``claimed``, in the place of this payment, which was made elsewhere.
    indirect case claimedInPlaceOf(Payment)
    /// The reference is taken, by this payment.
    indirect case referenceTaken(Payment)
    /// The reference is taken by a payment whose record cannot be read.
    indirect case recordUnreadable(UnreadableRecord)
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key already belongs to another order.
    case idempotencyKeyTaken
}
