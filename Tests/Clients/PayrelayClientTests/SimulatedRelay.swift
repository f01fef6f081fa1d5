import Foundation
import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives
import TestPrograms

/// A clock that advances when a task sleeps. A sleep that is longer than the delay between two attempts is a time limit: it
/// ends when other tasks have advanced the clock, or when its task is cancelled.
final class SimulatedClock: RelayClock, @unchecked Sendable {
    private static let longestDelay = RetryDelay().longest

    // Changed under the lock.
    private let lock = NSLock()
    private var seconds = 0.0
    private var count = 0
    private var limits: [Int: (due: Double, end: CheckedContinuation<Void, any Error>)] = [:]
    private var cancelled: Set<Int> = []
    private let (limited, begins) = AsyncStream.makeStream(of: Void.self)

    var now: Double { lock.withLock { seconds } }

    func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        guard seconds > Self.longestDelay else { return advance(by: seconds) }
        let number = lock.withLock {
            count += 1
            return count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = lock.withLock {
                    if cancelled.remove(number) == nil {
                        limits[number] = (self.seconds + seconds, continuation)
                        return false
                    }
                    return true
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { begins.yield() }
            }
        } onCancel: {
            let limit = lock.withLock {
                if limits[number] == nil { cancelled.insert(number) }
                return limits.removeValue(forKey: number)
            }
            limit?.end.resume(throwing: CancellationError())
        }
    }

    func advance(by seconds: Double) {
        let over = lock.withLock {
            self.seconds += max(0, seconds)
            let over = limits.filter { $0.value.due <= self.seconds }
            for number in over.keys { limits[number] = nil }
            return over.values.map(\.end)
        }
        for end in over { end.resume() }
    }

    /// Returns once a time limit is running.
    func untilLimited() async {
        if hasLimit { return }
        for await _ in limited where hasLimit { return }
    }

    private var hasLimit: Bool { lock.withLock { !limits.isEmpty } }
}

/// A simulation of a relay, of FORT, and of the network between an app and them. A seed decides what happens to each request.
///
/// It keeps the relay's contract: an order is charged once, by its reference; the same bytes get the same answer, and other
/// bytes are refused. One reference in eight belongs to an earlier payment of another amount, or to an external payment. A
/// failover loses one claim in eight, and the payment comes back as an external payment. A delayed request may arrive long
/// after the client has given up waiting.
final class SimulatedRelay: RelayTransport, @unchecked Sendable {
    /// The state of the only order.
    enum Truth: Equatable {
        case none, underWay(until: Double), captured, declined, notProcessed
    }

    // Changed under the lock.
    private let lock = NSLock()
    private var random: SeededGenerator
    private let clock: SimulatedClock
    private let isUnreachable: Bool
    private var truth = Truth.none
    private var firstBody: [UInt8]?
    /// Whether the reference belongs to an earlier payment of another amount.
    let isTakenEarlier: Bool
    private var delayed: [(at: Double, body: [UInt8], tokenEnds: Double)] = []
    private var orderTokenEnds = 0.0
    private(set) var bodies: Set<[UInt8]> = []
    private(set) var chargeCount = 0
    /// The time from which the payment is an external payment, which no order token sees.
    private var hiddenFrom = Double.infinity

    /// - Parameter isUnreachable: Whether the relay answers every request only with the problem that it is busy.
    init(seed: UInt64, clock: SimulatedClock, isUnreachable: Bool) {
        self.isUnreachable = isUnreachable
        random = SeededGenerator(seed: seed)
        self.clock = clock
        isTakenEarlier = !isUnreachable && Int.random(in: 0..<8, using: &random) == 0
        if isTakenEarlier {
            firstBody = []
            chargeCount = 1
            truth = Bool.random(using: &random) ? end() : .underWay(until: Double.random(in: 0...60, using: &random))
            if Bool.random(using: &random) { hiddenFrom = 0 }
        }
    }

    /// Returns an order token that is valid for a while.
    func orderToken() -> String {
        lock.withLock {
            orderTokenEnds = clock.now + Double(Int.random(in: 2...120, using: &random))
            return "\(orderTokenEnds)"
        }
    }

    /// Returns the final state of the order, after every delayed request has arrived.
    func finalTruth() -> Truth {
        lock.withLock {
            for request in delayed.sorted(by: { $0.at < $1.at }) {
                _ = arrive(request.body, at: request.at, tokenEnds: request.tokenEnds)
            }
            delayed = []
            if case .underWay = truth { truth = end() }
            return truth
        }
    }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let result = lock.withLock { () -> Result<TransportResponse, TransportFailure> in
            let tokenEnds =
                request.headers.first { $0.name == "Authorization" }
                .flatMap { Double($0.value.dropFirst("Bearer ".count)) } ?? 0
            deliverDelayed()
            if let body = request.body { bodies.insert(body) }
            clock.advance(by: Double.random(in: 0.01...0.5, using: &random))
            switch Int.random(in: isUnreachable ? 5...5 : 0...15, using: &random) {
            case 0: return .failure(.notSent("no network"))
            case 1:
                clock.advance(by: request.timeout)
                if let body = request.body {
                    let at = clock.now + Double.random(in: 0...(Bool.random(using: &random) ? 400 : 40), using: &random)
                    delayed.append((at, body, tokenEnds))
                }
                return .failure(.lost("delayed"))
            case 2: return .success(TransportResponse(status: 200, body: Array("<html>portal</html>".utf8)))
            case 3:
                _ = answer(to: request, tokenEnds)
                return .success(TransportResponse(status: 502, body: Array("bad gateway".utf8)))
            case 4:
                _ = answer(to: request, tokenEnds)
                return .failure(.lost("the answer was lost"))
            case 5:
                return .success(problem(503, .tooBusy, retryAfter: "1"))
            case 6:
                return .success(Bool.random(using: &random) ? problem(500, .internal) : problem(400, .incompleteBody))
            default: return .success(answer(to: request, tokenEnds))
            }
        }
        return try result.get()
    }

    private func deliverDelayed() {
        let arrived = delayed.filter { $0.at <= clock.now }
        delayed.removeAll { $0.at <= clock.now }
        for request in arrived { _ = arrive(request.body, at: request.at, tokenEnds: request.tokenEnds) }
    }

    private func answer(to request: TransportRequest, _ tokenEnds: Double) -> TransportResponse {
        guard let body = request.body else {
            guard tokenEnds > clock.now else { return problem(401, .notAuthenticated) }
            return truth == .none || clock.now >= hiddenFrom ? problem(404, .noSuchPayment) : state()
        }
        return arrive(body, at: clock.now, tokenEnds: tokenEnds)
    }

    /// Handles a request to pay that arrives.
    private func arrive(_ body: [UInt8], at time: Double, tokenEnds: Double) -> TransportResponse {
        guard tokenEnds > time else { return problem(401, .notAuthenticated) }
        if let firstBody, time < hiddenFrom {
            guard firstBody == body else { return problem(422, .referenceTaken) }
            if case .underWay(let until) = truth, time < until { return problem(409, .inFlight, retryAfter: "1") }
            return state()
        }
        // The Apple Pay token was signed at 0.
        guard time < 300 else { return problem(422, .tokenRefused) }
        guard firstBody == nil else { return problem(422, .referenceTaken) }
        firstBody = body
        chargeCount += 1
        if Int.random(in: 0..<8, using: &random) == 0 {
            hiddenFrom = time + Double.random(in: 0...20, using: &random)
        }
        let duration = Double.random(in: 0...30, using: &random)
        if duration < 10 {
            truth = end()
        } else {
            truth = .underWay(until: time + duration)
        }
        return state()
    }

    private func end() -> Truth {
        [.captured, .captured, .declined, .notProcessed].randomElement(using: &random) ?? .captured
    }

    private func state() -> TransportResponse {
        if case .underWay(let until) = truth, clock.now >= until { truth = end() }
        switch truth {
        case .none: return problem(404, .noSuchPayment)
        case .underWay:
            return TransportResponse(status: 202, retryAfter: "2", body: document("uncertain"))
        case .captured: return TransportResponse(status: 200, body: document("captured"))
        case .declined: return TransportResponse(status: 200, body: document("declined"))
        case .notProcessed: return TransportResponse(status: 200, body: document("not_processed"))
        }
    }

    private func document(_ outcome: String) -> [UInt8] {
        Documents.body(outcome, amount: isTakenEarlier ? 9_000 : 10_000)
    }

    private func problem(_ status: Int, _ kind: ProblemKind, retryAfter: String? = nil) -> TransportResponse {
        TransportResponse(status: status, retryAfter: retryAfter, body: Documents.problem(status, kind))
    }
}
