import Foundation
import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives

/// A relay that gives the test's answers in order, and repeats the last one.
final class ScriptedRelay: RelayTransport, @unchecked Sendable {
    enum Answer: Sendable {
        case payment(String)
        case problem(Int, ProblemKind, [ValidationError] = [])
        case failure(TransportFailure)
        /// The request never gets an answer, even if its task is cancelled.
        case silence
    }

    // Changed under the lock.
    private let lock = NSLock()
    private let clock: ManualClock
    private var script: [(seconds: Double, answer: Answer)]
    private var bodies: [JSON] = []
    private var tokens: [String] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter script: The answers, and the number of seconds after which each is given.
    init(_ clock: ManualClock, _ script: [(seconds: Double, answer: Answer)]) {
        self.clock = clock
        self.script = script
    }

    /// The payments that were sent.
    var sent: [JSON] { lock.withLock { bodies } }

    /// The order tokens of the payments that were sent.
    var orderTokens: [String] { lock.withLock { tokens } }

    /// Waits until a payment has been sent.
    func received() async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if bodies.isEmpty { waiting.append(continuation) }
                return !bodies.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let (seconds, answer) = take(request)
        try? await clock.sleep(seconds: min(seconds, request.timeout))
        guard seconds <= request.timeout else { throw .lost("no answer in time") }
        switch answer {
        case .payment(let outcome): return TransportResponse(status: 200, body: Self.document(outcome, amount: amount))
        case .problem(let status, let kind, let errors):
            let problem = ProblemDocument(
                name: kind.rawValue, title: "title", status: status, detail: "detail", errors: errors)
            return TransportResponse(status: status, body: problem.json.encoded())
        case .failure(let failure): throw failure
        case .silence:
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            throw .lost("never")
        }
    }

    private func take(_ request: TransportRequest) -> (seconds: Double, answer: Answer) {
        let (entry, waiting) = lock.withLock {
            if let body = request.body, let json = try? JSON(parsing: body) {
                bodies.append(json)
                tokens.append(request.headers.first { $0.name == "Authorization" }?.value ?? "")
            }
            defer { if !bodies.isEmpty { self.waiting = [] } }
            return (script.count > 1 ? script.removeFirst() : script[0], bodies.isEmpty ? [] : self.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return entry
    }

    /// The amount of the payment that was sent last.
    private var amount: JSON { sent.last?["amount"] ?? 10_000 }

    static func document(_ outcome: String, amount: JSON = 10_000) -> [UInt8] {
        let document: JSON = [
            "merchant_reference": "ORDER-1001", "command": "PURCHASE", "outcome": .string(outcome),
            "amount": amount, "currency": "AED",
        ]
        return document.encoded()
    }
}
