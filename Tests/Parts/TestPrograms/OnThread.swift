import Foundation

/// Runs blocking code on a separate thread. The tests' tasks share only a few threads, so a blocked one holds up the others.
@discardableResult
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
