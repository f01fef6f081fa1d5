import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives
import Synchronization
import Testing
import UnderWay

@testable import Console

/// The live page of payments.
@Suite struct LiveTests {
    @Test("a watcher gets the present payments and then each change once, and nothing after the session has ended")
    func watches() async throws {
        let bench = try ConsoleBench()
        await bench.add("OLD-1", response: ["response_message": "two\nlines\r<b>"])
        let browser = try await bench.browser(.viewer)
        let cookie = String(browser.cookie.split(separator: "=", maxSplits: 1).last ?? "")
        let pieces = Mutex(0)
        let answer = try await bench.send(.get, "/console/live/events", headers: [.cookie: browser.cookie]) {
            switch pieces.withLock({ pieces in
                pieces += 1
                return pieces
            }) {
            case 1: await bench.add("NEW-1")
            case 2: bench.console.sessions.end(cookie)
            default: break
            }
        }
        #expect(answer.headers[.contentType] == "text/event-stream")
        #expect(answer.headers[.cacheControl] == "no-store")
        let events = answer.text.split(separator: "\n\n").map { $0.split(separator: "\n") }
        #expect(events.map { $0.first ?? "" } == ["event: payment", "event: payment", "event: end"])
        let references = events.compactMap { event in
            event.last.flatMap { try? JSON(parsing: Array($0.dropFirst("data: ".count).utf8)) }?["reference"]?
                .stringValue
        }
        #expect(references == ["OLD-1", "NEW-1"])
        #expect(events.allSatisfy { $0.count == 2 })
    }

    @Test("a watcher learns that the relay stops, and does not delay the stop")
    func endsWithTheRelay() async throws {
        struct NotEnded: Error {}
        let isDraining = Mutex(false)
        let bench = try ConsoleBench(isDraining: { isDraining.withLock { $0 } })
        await bench.add("A-1")
        let browser = try await bench.browser(.viewer)
        let pieces = Mutex(0)
        let answer = try await bench.send(.get, "/console/live/events", headers: [.cookie: browser.cookie]) {
            isDraining.withLock { $0 = true }
            let count = pieces.withLock { pieces in
                pieces += 1
                return pieces
            }
            if count > 2 { throw NotEnded() }
        }
        let events = answer.text.split(separator: "\n\n").map { $0.split(separator: "\n").first ?? "" }
        #expect(events == ["event: payment", "event: end"])
    }

    @Test("the slots of watchers are bounded, and free again once nothing holds them")
    func slots() throws {
        let screen = try screen()
        func fill() throws -> [Slots<String>.Slot] { try (0..<LiveScreen.limit).map { try screen.slot(of: "o-\($0)") } }
        var slots = try fill()
        #expect(throws: ConsoleError.self) { try screen.slot(of: "late") }
        slots.removeLast()
        slots.append(try screen.slot(of: "late"))
        let error = #expect(throws: ConsoleError.self) { try screen.slot(of: "later") }
        #expect(error?.status == .serviceUnavailable)
        slots.removeAll()
        #expect(try fill().count == LiveScreen.limit)
    }

    @Test("S14: one operator leaves slots to the others") func slotsOfOneOperator() throws {
        let screen = try screen()
        var slots = try (0..<LiveScreen.limitOfOperator).map { _ in try screen.slot(of: "greedy") }
        let error = #expect(throws: ConsoleError.self) { try screen.slot(of: "greedy") }
        #expect(error?.status == .tooManyRequests)
        slots.append(try screen.slot(of: "other"))
        slots.removeFirst()
        slots.append(try screen.slot(of: "greedy"))
    }

    private func screen() throws -> LiveScreen {
        LiveScreen(newest: NewestPayments(relay: try ConsoleBench().relay), isDraining: { false })
    }

    @Test("an answer that is not sent holds no slot")
    func unsentAnswers() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        for _ in 0..<(2 * LiveScreen.limit) {
            let answer = try await bench.send(
                .head, "/console/live/events", headers: [.cookie: browser.cookie], readsBody: false)
            #expect(answer.status == 200)
        }
    }

    @Test("the journal is read once a second, for any number of viewers")
    func oneReading() async throws {
        let bench = try ConsoleBench()
        let moment = ContinuousClock.now
        let newest = NewestPayments(relay: bench.relay, now: { moment })
        await bench.add("A")
        #expect(await newest.payments().count == 1)
        await bench.add("B")
        for _ in 0..<100 { #expect(await newest.payments().count == 1) }
    }
}
