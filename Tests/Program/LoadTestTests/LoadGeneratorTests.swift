import ApplePayToken
import Foundation
import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing
import TokenMint

@testable import payrelay_dev

@Suite(.timeLimit(.minutes(25))) struct LoadGeneratorTests {
    /// Runs a load of bare bodies, whose tokens are not checked.
    private func run(
        _ schedule: ArrivalSchedule, against responder: BareResponder, connections: Int = 512
    ) async throws -> LoadRecording {
        let client = OutboundClient(OutboundSettings(inFlightLimit: connections))
        defer { client.shutdown() }
        let generator = LoadGenerator(target: responder.address, client: client, connections: connections)
        return await generator.run(try .bare(schedule.count), on: schedule)
    }

    @Test func eachPaymentIsSentOnceAndEachAnswerCounted() async throws {
        let seen = Mutex<[String]>([])
        let responder = try BareResponder { reference, number in
            seen.withLock { $0.append(reference) }
            switch number % 4 {
            case 0: return .captured(reference)
            case 1: return .init(body: #"{"merchant_reference":"\#(reference)","outcome":"declined"}"#)
            case 2: return .init(status: 503, body: #"{"type":"urn:payrelay:problem:overloaded"}"#)
            default: return .init(body: #"{"merchant_reference":"another","outcome":"captured"}"#)
            }
        }
        let recording = try await run(ArrivalSchedule(rate: 400, duration: .seconds(1)), against: responder)
        #expect(seen.withLock { $0.sorted() } == (0..<400).map { "BARE-\($0)" }.sorted())
        #expect(
            recording.tally == [
                .outcome(.captured): 100, .outcome(.declined): 100,
                .refused(status: 503, problem: "overloaded"): 100,
                .unusable(reason: "an answer about another payment"): 100,
            ])
        #expect(recording.successes == 100)
        #expect(recording.latency.count == 400)
        #expect(recording.inFlight == 0)
        #expect(recording.timeline.pieces.map(\.due).reduce(0, +) == 400)
        #expect(recording.timeline.pieces.map(\.ended).reduce(0, +) == 400)
        #expect(recording.timeline.pieces.map(\.failed).reduce(0, +) == 300)
    }

    @Test func aStallShowsInTheLatencyOfEveryPaymentDueMeanwhile() async throws {
        // One answer in the middle takes a second, and no other request gets an answer meanwhile.
        let responder = try BareResponder { reference, number in
            if number == 100 { Thread.sleep(forTimeInterval: 1) }
            return .captured(reference)
        }
        let recording = try await run(ArrivalSchedule(rate: 100, duration: .seconds(4)), against: responder)
        #expect(recording.successes == 400)
        // A quarter of the payments were due while the responder stood still, and each waited for the remaining part of the
        // second. A load generator that waits for answers would have only one slow payment, and its p99 would not show it.
        #expect(recording.latency.value(atPercentile: 99) > .milliseconds(900))
        #expect(recording.latency.value(atPercentile: 90) > .milliseconds(500))
    }

    @Test func aRequestThatCannotBeSentIsCountedAndNotWaitedFor() async throws {
        let responder = try BareResponder { reference, number in
            if number == 0 { Thread.sleep(forTimeInterval: 1) }
            return .captured(reference)
        }
        let recording = try await run(
            ArrivalSchedule(rate: 100, duration: .seconds(1)), against: responder, connections: 10)
        #expect(recording.leftOut > 0)
        #expect(recording.leftOut + recording.successes == 100)
        #expect(recording.latency.count == recording.successes)
    }

    @Test func withoutARelayEachPaymentFailsByItsKind() async throws {
        let dead = try LoopbackSocket()
        let address = "http://127.0.0.1:\(dead.port)"
        let client = OutboundClient()
        defer { client.shutdown() }
        let schedule = ArrivalSchedule(rate: 50, duration: .seconds(1))
        let recording = await LoadGenerator(target: address, client: client, connections: 100)
            .run(try .bare(50), on: schedule)
        #expect(recording.tally.values.reduce(0, +) == 50)
        #expect(recording.tally.count == 1)
        let kind = try #require(recording.tally.keys.first)
        guard case .notSent = kind else {
            Issue.record("\(kind)")
            return
        }
    }

    @Test func aCancelledRunAbandonsThePaymentsInFlight() async throws {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let responder = try BareResponder { reference, _ in
            request.yield()
            Thread.sleep(forTimeInterval: 0.5)
            return .captured(reference)
        }
        let schedule = ArrivalSchedule(rate: 10, duration: .seconds(600))
        let running = Task { try await run(schedule, against: responder) }
        for await _ in requests.prefix(1) {}
        running.cancel()
        let recording = try await running.value
        #expect(recording.inFlight == 0)
        #expect(recording.ended < 100)
    }

    @Test func answersOfEndlesslyManyKindsDoNotFillTheMemory() {
        var recording = LoadRecording(ArrivalSchedule(rate: 1_000, duration: .seconds(1)))
        for number in 0..<1_000 {
            recording.begin()
            recording.end(
                number, sent: .zero, ended: .seconds(2), .outcome(PaymentOutcome(rawValue: "outcome \(number)")))
        }
        #expect(recording.tally.count == 101)
        #expect(recording.ended == 1_000)
    }
}

extension CannedPayments {
    /// Returns payments without tokens.
    static func bare(_ count: Int) throws -> CannedPayments {
        let references = (0..<count).map { "BARE-\($0)" }
        var writer = try CannedPaymentsWriter(references: references, in: NSTemporaryDirectory())
        for (number, reference) in references.enumerated() {
            try writer.write(
                paymentBody(
                    reference, currency: .AED, token: ["padding": .string(String(repeating: "x", count: 3_000))]),
                of: number)
        }
        return writer.payments()
    }
}
