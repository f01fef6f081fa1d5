import CJournalFloor
import CVerification
import Foundation
import Measuring
import TestPrograms

/// The work that no relay that verifies and journals can avoid, apart from passing the bytes on, in seconds of CPU time per
/// payment.
struct Limit {
    let verification: Double
    let writes: Double
    /// The number of payments that share a commit when all callers wait: while one commit is on its way to the disk, the relay
    /// gathers the next writes for the following commit.
    static let paymentsInCommit = Saturation.connections

    init() throws {
        progress("the limit: one verification, two writes")
        verification = try Self.verification()
        writes = try Self.writes()
    }

    /// Measures one P-256 verification by OpenSSL, with a key and a context that are ready.
    private static func verification() throws -> Double {
        guard let floor = floor_prepare() else { throw CocoaError(.featureUnsupported) }
        return try secondsOfThread(for: 2_000) { floor_verify_signature(floor) }
    }

    /// Measures two writes to a table without any other index, in shared commits that reach the disk.
    private static func writes() throws -> Double {
        let folder = try TemporaryFolder()
        guard let floor = journal_floor_open(folder.path("floor.sqlite")) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { journal_floor_close(floor) }
        return try secondsOfThread(for: 100) { journal_floor_write(floor, Int32(paymentsInCommit)) }
            / Double(paymentsInCommit)
    }

    /// Returns the CPU time of this thread for one of `count` calls. An earlier tenth of them, for warming up, is not counted.
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
