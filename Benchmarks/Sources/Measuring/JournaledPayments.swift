import Crypto
import Foundation
public import PaymentRelay
import PayrelayPrimitives

/// Payments as the relay would journal them: claimed, and recorded with a receipt of the usual size.
public struct JournaledPayments {
    let journal: any Journal
    private let name: String
    private var count = 0

    public init(_ name: String, in journal: any Journal) {
        self.name = name
        self.journal = journal
    }

    /// Claims `number` payments and records their outcomes, with up to `atOnce` payments under way at once.
    public mutating func add(_ number: Int, atOnce: Int) async throws {
        let (journal, first) = (journal, count)
        count += number
        try await withThrowingTaskGroup { [name] group in
            for worker in 0..<atOnce {
                group.addTask {
                    for place in stride(from: first + worker, to: first + number, by: atOnce) {
                        try await Self.add("\(name)-\(place)", to: journal)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func add(_ reference: String, to journal: any Journal) async throws {
        let now = Date()
        // The values that searches use: emails and cards of many customers, and amounts of a shop.
        let number = reference.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFFFF }
        let amount = MinorUnits(100 * (1 + number % 5_000)) ?? 100
        let digest = SHA256.hash(data: Array(reference.utf8))
        let payment = Payment(
            merchantReference: reference, command: .purchase, amount: amount, currency: "AED",
            fingerprint: RequestFingerprint(bytes: Array(digest)), appleTransactionIdentifier: reference,
            claimedAt: now, gateway: "fort", emailDigest: EmailDigest(of: "customer\(number % 200_000)@example.com"),
            lease: Lease(number: 0, expiresAt: now + 60))
        let claim = Change(
            before: nil, after: payment, kind: .claim, origin: Origin(.client(nil), request: reference), at: now,
            claimed: Change.Claimed(token: digest, idempotencyKey: nil))
        guard try await journal.commit(claim) == .written else { throw CocoaError(.fileWriteFileExists) }
        var settled = payment
        settled.state = number % 50 == 0 ? .declined : .captured
        settled.balance = Balance(captured: number % 50 == 0 ? .zero : amount)
        settled.receipt = receipt
        settled.gatewayReference = "\(Int(now.timeIntervalSince1970 * 1_000))\(number % 100_000)"
        settled.cardLastFour = String("\(10_000 + number % 10_000)".dropFirst())
        settled.summary = [
            "fort_id": settled.gatewayReference.map { .string($0) } ?? .null, "payment_option": "VISA",
            "card_number": "411111******1111", "response_code": "14000", "response_message": "Success",
        ]
        let outcome = Change(
            before: claim.after, after: settled, kind: .charge, origin: Origin(.gatewayAnswer, request: reference),
            at: now)
        guard try await journal.commit(outcome) == .written else { throw CocoaError(.fileNoSuchFile) }
    }

    /// A receipt about as long as FORT's answer.
    private static let receipt = [UInt8](repeating: UInt8(ascii: "x"), count: 1_200)
}
