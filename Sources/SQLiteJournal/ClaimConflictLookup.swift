import FoundationEssentials
import GRDB
import PaymentRelay

/// What stands in a claim's way, looked up only where something does.
extension Database {
    func holder(of merchantReference: String) throws -> Result<Payment, UnreadableRecord>? {
        do {
            return try payment(merchantReference).map { .success($0) }
        } catch let record as UnreadableRecord {
            return .failure(record)
        }
    }

    func isTaken(_ digest: TokenDigest) throws -> Bool {
        let statement = try cachedStatement(sql: "SELECT 1 FROM payment WHERE token_digest = ?")
        return try Bool.fetchOne(statement, arguments: [Data(digest.bytes)]) != nil
    }

    func isTaken(idempotencyKey: String) throws -> Bool {
        let statement = try cachedStatement(sql: "SELECT 1 FROM payment WHERE idempotency_key = ?")
        return try Bool.fetchOne(statement, arguments: [idempotencyKey]) != nil
    }
}
