public import Crypto
import PayrelayPrimitives

/// Conflicts of a claim with what is stored, decided here for every journal.
///
/// R1, R2: a reference belongs to one request. R13: a token pays one order. An idempotency key belongs to one request
/// (``KeyUse``). A journal looks up what it has under the three and calls ``Claim/conflict(with:keyUse:isTokenUsed:)``. The journal
/// itself makes the look-up and the write one step, by a transaction or by unique constraints.
extension Claim {
    /// Returns the conflict that forbids the claim; `nil` if the claim is to be written, in place of `known` if that is present.
    ///
    /// - Parameters:
    ///   - known: the payment under the claim's reference, if any, or the reason why it cannot be read.
    ///   - keyUse: returns what the claim's idempotency key belongs to. Called only if the claim has a key.
    ///   - isTokenUsed: returns whether a payment holds the claim's token. Called only if the claim has a token, and its
    ///     reference can be claimed.
    public func conflict<Failure: Error>(
        with known: Result<Payment, UnreadableRecord>?, keyUse: (_ key: String) throws(Failure) -> KeyUse?,
        isTokenUsed: () throws(Failure) -> Bool
    ) throws(Failure) -> ClaimResult? {
        if case .failure(let record)? = known { return .recordUnreadable(record) }
        let taken = try? known?.get()
        let isTaken = taken.map { !$0.canBeClaimedAgain(by: self) } ?? false
        // A request that repeats the charge has the charge's key. A charge that was not sent has given up its key.
        if let idempotencyKey, let use = try keyUse(idempotencyKey),
            !isTaken || use != KeyUse(of: payment.merchantReference)
        {
            return .idempotencyKeyTaken
        }
        if isTaken, let taken { return .referenceTaken(taken) }
        if token != nil, try isTokenUsed() { return .tokenTaken }
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
    /// The client's `Idempotency-Key`, as journals keep it (``KeyUse``); `nil` if absent.
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
    /// The idempotency key already belongs to another request.
    case idempotencyKeyTaken
}
