import PayrelayPrimitives
import Crypto
import FoundationEssentials
public import PaymentRelay

extension PostgresJournal {
    /// Writes a claim and rolls it back, which needs the room that a claim needs, and then commits a row of no meaning.
    public func checkDurability() async throws(JournalError) {
        let moment = Date()
        // No order has an empty reference, and no token signs nothing.
        let payment = Payment(
            merchantReference: "", command: .purchase, amount: 0, currency: "",
            fingerprint: RequestFingerprint(bytes: []),
            appleTransactionIdentifier: "", claimedAt: moment)
        let claim = Claim(
            payment: payment, token: TokenDigest(SHA256.hash(data: [UInt8]())), idempotencyKey: nil,
            entry: HistoryEntry(at: moment, state: .processing))
        guard try await run(.rehearsedClaim, claim.values + claim.entry.keyValues + [claim.source]).count == 1,
            try await run(.durabilityProbe, []).count == 1
        else {
            throw .unavailable(reason: "the journal did not write a claim that was tried out")
        }
    }
}

extension PostgresJournal {
    /// The server's files are the server's: VACUUM frees what was erased, and its log is overwritten in time.
    public func purgeErased() {}
}

extension PostgresStatement {
    fileprivate static let rehearsedClaim = PostgresStatement(
        "rehearsed_claim", isRepeatable: true, isRolledBack: true, claim.sql)

    fileprivate static let durabilityProbe = PostgresStatement(
        "durability_probe", isRepeatable: true, "UPDATE durability_probe SET times = times + 1 WHERE one = 1")
}
