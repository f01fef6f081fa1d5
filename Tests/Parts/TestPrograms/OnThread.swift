import Foundation

/// Runs what blocks on a thread of its own. The tests' tasks share as few threads as there are gateways: one that waits holds up
/// the others.
@discardableResult
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
