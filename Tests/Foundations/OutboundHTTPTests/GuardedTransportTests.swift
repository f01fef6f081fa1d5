import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing

@testable import OutboundHTTP

@Suite struct GuardedTransportTests {
    private static let timeout = Outcome<Int>.unknown(reason: "timeout")

    /// Returns the outcomes of `count` requests, one after the other.
    private func outcomes(_ count: Int, of transport: GuardedTransport) async -> [String] {
        var outcomes: [String] = []
        for _ in 0..<count {
            switch await transport.send(.json([], to: .sample, timeout: .seconds(30))) {
            case .answered(let answer): outcomes.append("\(answer.status)")
            case .notSent: outcomes.append("not sent")
            case .unknown: outcomes.append("no answer")
            }
        }
        return outcomes
    }

    /// Waits until other tasks have made a condition true.
    private func eventually(_ isSo: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(300)
        while !isSo() {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test func nothingIsSentWhileTheBreakerIsOpen() async {
        let fort = GatewayOnATable { Self.timeout }
        let transport = GuardedTransport(fort, limits: GatewayLimits(failures: 3), clock: ManualTime().clock)
        #expect(
            await outcomes(6, of: transport)
                == ["no answer", "no answer", "no answer", "not sent", "not sent", "not sent"])
        #expect(fort.count == 3)
    }

    @Test(arguments: [(200, true), (400, true), (429, true), (500, false), (503, false)])
    func aGatewayErrorCountsAsAFailure(status: Int, isReachable: Bool) async {
        let fort = GatewayOnATable { .answered(status) }
        let transport = GuardedTransport(fort, limits: GatewayLimits(failures: 1), clock: ManualTime().clock)
        #expect(await outcomes(2, of: transport) == ["\(status)", isReachable ? "\(status)" : "not sent"])
    }

    @Test func aCancelledRequestIsNoFailure() async {
        let fort = GatewayOnATable { Self.timeout }
        let transport = GuardedTransport(fort, limits: GatewayLimits(failures: 1), clock: ManualTime().clock)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await outcomes(1, of: transport)
        }
        #expect(await cancelled.value == ["no answer"])
        #expect(await outcomes(2, of: transport) == ["no answer", "not sent"])
    }

    @Test func probesUntilItAnswersAndThenSendsAgain() async throws {
        let isUp = Mutex(false)
        let fort = GatewayOnATable { isUp.withLock { $0 } ? .answered(200) : Self.timeout }
        let time = ManualTime()
        let told = Mutex<[Bool]>([])
        let transport = GuardedTransport(fort, limits: GatewayLimits(failures: 2), clock: time.clock) { isReachable in
            told.withLock { $0.append(isReachable) }
        }
        let probe = Array("anybody there?".utf8)
        let watch = Task { await transport.watch(with: .json(probe, to: .sample, timeout: .seconds(30))) }
        defer {
            watch.cancel()
            time.advance(by: .seconds(1))
        }

        _ = await outcomes(2, of: transport)
        #expect(told.withLock { $0 } == [false])
        for probes in 1...3 {
            try await eventually {
                time.advance(by: .milliseconds(100))
                return fort.bodies.count { $0 == probe } >= probes
            }
            #expect(await outcomes(1, of: transport) == ["not sent"])
        }
        isUp.withLock { $0 = true }
        try await eventually {
            time.advance(by: .milliseconds(100))
            return told.withLock { $0 } == [false, true]
        }
        #expect(await outcomes(1, of: transport) == ["200"])
    }

    @Test func aRequestWithoutASlotInTimeIsNotSent() async throws {
        let gate = Gate()
        let fort = GatewayOnATable {
            await gate.wait()
            return .answered(200)
        }
        let time = ManualTime()
        let transport = GuardedTransport(fort, limits: GatewayLimits(requestsInFlight: 1), clock: time.clock)
        async let first = outcomes(1, of: transport)
        try await eventually { fort.count == 1 }
        async let second = outcomes(1, of: transport)
        try await eventually { time.sleepers == 1 }
        // One request is on its way and one waits, which is the limit.
        #expect(await outcomes(1, of: transport) == ["not sent"])
        time.advance(by: .milliseconds(500))
        #expect(await second == ["not sent"])
        async let third = outcomes(1, of: transport)
        try await eventually { time.sleepers == 1 }
        gate.open()
        #expect(await first == ["200"])
        #expect(await third == ["200"])
        #expect(fort.count == 2)
        time.advance(by: .milliseconds(500))
    }

    @Test func aRequestThatWaitedWhileTheProcessStoodStillIsNotSent() async throws {
        let (gate, patience) = (Gate(), Gate())
        let fort = GatewayOnATable {
            await gate.wait()
            return .answered(200)
        }
        let now = Mutex(Duration.zero)
        let waiting = Mutex(0)
        // When the process continues, it finds a free slot and a clock that shows that the request's patience is over.
        let clock = GuardClock(
            now: { now.withLock { $0 } },
            sleep: { _ in
                waiting.withLock { $0 += 1 }
                await patience.wait()
            })
        let transport = GuardedTransport(fort, limits: GatewayLimits(requestsInFlight: 1), clock: clock)
        async let first = outcomes(1, of: transport)
        try await eventually { fort.count == 1 }
        async let second = outcomes(1, of: transport)
        try await eventually { waiting.withLock { $0 } == 1 }
        now.withLock { $0 += .seconds(180) }
        gate.open()
        #expect(await first == ["200"])
        #expect(await second == ["not sent"])
        #expect(fort.count == 1)
        #expect(await outcomes(1, of: transport) == ["200"])
        patience.open()
    }

    @Test func aRequestThatWaitedWhileTheBreakerOpenedIsNotSent() async throws {
        let gate = Gate()
        let fort = GatewayOnATable {
            await gate.wait()
            return Self.timeout
        }
        let time = ManualTime()
        let transport = GuardedTransport(
            fort, limits: GatewayLimits(requestsInFlight: 1, failures: 1), clock: time.clock)
        async let first = outcomes(1, of: transport)
        try await eventually { fort.count == 1 }
        async let second = outcomes(1, of: transport)
        try await eventually { time.sleepers == 1 }
        gate.open()
        #expect(await first == ["no answer"])
        #expect(await second == ["not sent"])
        #expect(fort.count == 1)
        time.advance(by: .milliseconds(500))
    }
}

/// A FORT that answers as the test says, and keeps the requests.
private final class GatewayOnATable: GatewayTransport {
    private let received = Mutex<[[UInt8]]>([])
    private let answer: @Sendable () async -> Outcome<Int>

    init(_ answer: @escaping @Sendable () async -> Outcome<Int>) { self.answer = answer }

    var bodies: [[UInt8]] { received.withLock { $0 } }
    var count: Int { bodies.count }

    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        received.withLock { $0.append(request.body) }
        return await answer().map { OutboundAnswer(status: $0, body: []) }
    }
}

extension GatewayEndpoint {
    fileprivate static let sample = GatewayEndpoint(known: "https://gateway.example/pay")
}
