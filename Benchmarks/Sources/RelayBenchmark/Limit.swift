import CJournalFloor
import CVerification
import Foundation
import Measuring
import TestPrograms

/// What no relay that verifies and journals can avoid, besides passing the bytes on. In seconds of CPU time per payment.
struct Limit {
    let verification: Double
    let writes: Double
    /// As many of the relay's writes share a commit when all callers wait: while one commit is on its way to the disk, what
    /// they ask for next is gathered for the one after it.
    static let paymentsInCommit = Saturation.connections

    init() throws {
        progress("the limit: one verification, two writes")
        verification = try Self.verification()
        writes = try Self.writes()
    }

    /// One P-256 verification by OpenSSL, with a key and a context that are ready.
    private static func verification() throws -> Double {
        guard let floor = floor_prepare() else { throw CocoaError(.featureUnsupported) }
        return try secondsOfThread(for: 2_000) { floor_verify_signature(floor) }
    }

    /// Two writes to a table without any other index, in shared commits that reach the disk.
    private static func writes() throws -> Double {
        let folder = try TemporaryFolder()
        guard let floor = journal_floor_open(folder.path("floor.sqlite")) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { journal_floor_close(floor) }
        return try secondsOfThread(for: 100) { journal_floor_write(floor, Int32(paymentsInCommit)) }
            / Double(paymentsInCommit)
    }

    /// The CPU time of this thread for one of so many; the first tenth is not counted.
    private static func secondsOfThread(for count: Int, _ body: () -> Bool) throws -> Double {
        func run(_ count: Int) throws {
            for _ in 0..<count where !body() { throw CocoaError(.featureUnsupported) }
        }
        try run(count / 10)
        let start = thread_nanoseconds()
        try run(count)
        return Double(thread_nanoseconds() - start) / 1e9 / Double(count)
    }
}
