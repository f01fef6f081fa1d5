import FoundationEssentials
import GatewayModule
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Synchronization
import Testing

@testable import FortAPI
@testable import FortModule

@Suite struct FortAvailabilityTests {
    /// A FORT with a settable answer for each account, and a clock that the test advances.
    private final class Fort: GatewayTransport {
        struct Answer {
            var failure: Outcome<(status: Int, body: [UInt8])>?
            var status = 200
            var phrase: Secret?
            var code = "11036"
        }

        let answers = Mutex<[String: Answer]>([:])
        let asked = Mutex<[String]>([])
        let time = Mutex(ContinuousClock.now)
        let accounts: FortAccounts

        init() throws {
            accounts = try FortAccounts(
                ["aed", "sar"].map { name in
                    FortAccounts.Entry(
                        name: name,
                        account: try FortAccount(
                            accessCode: name, merchantIdentifier: "m", requestPhrase: Secret("request-\(name)"),
                            responsePhrase: Secret("response-\(name)")))
                })
        }

        func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
            let sent = (try? JSON(parsing: request.body))?.objectValue ?? [:]
            let name = sent["access_code"]?.stringValue ?? ""
            asked.withLock { $0.append(name) }
            let answer = answers.withLock { $0[name] } ?? Answer()
            if let failure = answer.failure {
                return failure.map { OutboundAnswer(status: $0.status, body: $0.body) }
            }
            var message = sent.filter { $0.name != "signature" }
            message["response_code"] = .string(answer.code)
            message["status"] = .string(String(answer.code.prefix(2)))
            message["response_message"] = "said"
            let phrase = answer.phrase ?? Secret("response-\(name)")
            let signature = FortSignature(of: message, phrase: phrase, type: .standard)
            message["signature"] = .string(signature.hexadecimal)
            return .answered(OutboundAnswer(status: answer.status, body: JSON.object(message).encoded()))
        }

        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private let fort: Fort
    private let availability: AvailabilityWatch
    private let probe: AccountProbe

    init() throws {
        let fort = try Fort()
        self.fort = fort
        let accounts = fort.accounts
        let availability = AvailabilityWatch(of: "FORT", accounts: accounts.entries.map(\.name)) {
            fort.time.withLock { $0 }
        }
        self.availability = availability
        probe = AccountProbe(
            availability, accounts: accounts, endpoint: .fortTest, transport: fort, timeout: .seconds(1),
            observe: { availability.observe($0, of: accounts, isProbe: true) })
    }

    private var states: [AccountAvailability.State] { availability.all.map(\.state) }

    @Test("R15: an account without requests is probed within half a minute, and each account has its own state")
    func asksOfItself() async {
        await probe.askDue()
        #expect(states == [.notAsked, .notAsked])
        #expect(fort.asked.withLock { $0 } == [])
        fort.answers.withLock { $0["sar"] = Fort.Answer(phrase: Secret("another")) }
        fort.pass(.seconds(30))
        await probe.askDue()
        #expect(states == [.answering, .unproven])
        #expect(availability.all[0].lastAnswer != nil && availability.all[1].lastAnswer == nil)
        // The account that works is left alone, and the other one is queried again soon.
        fort.pass(.seconds(5))
        await probe.askDue()
        #expect(fort.asked.withLock { $0.sorted() } == ["aed", "sar", "sar"])
    }

    @Test(
        "R15: each result of a probe has its own state",
        arguments: [
            (Fort.Answer(), .answering), (Fort.Answer(phrase: Secret("another")), .unproven),
            (Fort.Answer(failure: .unknown(reason: "timeout")), .notAnswering),
            (Fort.Answer(failure: .notSent(reason: "refused")), .notAnswering),
            (Fort.Answer(status: 502), .notAnswering), (Fort.Answer(status: 404), .unproven),
            (Fort.Answer(code: "00008"), .refusing), (Fort.Answer(code: "00040"), .refusing),
        ] as [(Fort.Answer, AccountAvailability.State)])
    private func names(answer: Fort.Answer, state: AccountAvailability.State) async {
        fort.answers.withLock { $0["aed"] = answer }
        fort.pass(.seconds(30))
        await probe.askDue()
        #expect(states == [state, .answering])
        // A later query finds that the failure is over.
        fort.answers.withLock { $0["aed"] = Fort.Answer() }
        fort.pass(.seconds(30))
        await probe.askDue()
        #expect(states == [.answering, .answering])
    }

    @Test("R15: a request that got no slot says nothing about FORT, and leads to a probe")
    func aRequestThatWasNotSentTellsNothing() async {
        fort.pass(.seconds(30))
        await probe.askDue()
        availability.observe(
            FortExchange(
                command: .purchase, accessCode: "aed", duration: .zero,
                outcome: .notSent(reason: "no slot is free")), of: fort.accounts)
        #expect(states == [.answering, .answering])
        fort.answers.withLock { $0["aed"] = Fort.Answer(failure: .unknown(reason: "timeout")) }
        await probe.askDue()
        #expect(states == [.notAnswering, .answering])
    }

    @Test("R15: while the circuit breaker is open, each account says so, and each is probed once it closes")
    func followsTheCircuitBreaker() async {
        availability.circuitBreakerChanged(isClosed: false)
        fort.pass(.seconds(60))
        await probe.askDue()
        #expect(states == [.circuitBreakerOpen, .circuitBreakerOpen])
        #expect(fort.asked.withLock { $0 } == [])
        availability.circuitBreakerChanged(isClosed: true)
        #expect(states == [.notAsked, .notAsked])
        await probe.askDue()
        #expect(states == [.answering, .answering])
    }

    // MARK: What can be charged

    @Test("S6: the first charges of an account wait for one query, and go on if its answer is verified")
    func oneQueryForTheFirstCharges() async {
        let obstacles = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...50 { group.addTask { await probe.whyUnverified("aed") != nil } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(obstacles.count == 50 && !obstacles.contains(true))
        #expect(fort.asked.withLock { $0 } == ["aed"])
        #expect(availability.all.map { $0.whyNotCharged == nil } == [true, false])
    }

    @Test(
        "S6: an account is not charged before an answer was verified, and another one is",
        arguments: [
            (Fort.Answer(phrase: Secret("another")), true, "response_phrase"),
            (Fort.Answer(phrase: Secret("another"), code: "00008"), true, "request_phrase"),
            (Fort.Answer(status: 404), true, "HTTP status"), (Fort.Answer(status: 503), false, "HTTP status"),
            (Fort.Answer(failure: .unknown(reason: "timeout")), false, "timeout"),
            (Fort.Answer(failure: .notSent(reason: "refused")), false, "refused"),
            (Fort.Answer(failure: .answered((200, []))), true, "JSON"),
            (Fort.Answer(failure: .answered((200, Array("{}".utf8)))), true, "signature"),
        ] as [(Fort.Answer, Bool, String)])
    private func chargesNothing(answer: Fort.Answer, isAnswering: Bool, word: String) async {
        fort.answers.withLock { $0["sar"] = answer }
        let unverified = await probe.whyUnverified("sar")
        #expect(unverified?.isAnswering == isAnswering)
        #expect(unverified?.reason.contains(word) == true, "\(unverified?.reason ?? "")")
        #expect(availability.all[1].whyNotCharged == unverified?.reason)
        #expect(await probe.whyUnverified("aed") == nil)
        // Further charges are refused at once, without a query to FORT.
        for _ in 1...5 { #expect(await probe.whyUnverified("sar") != nil) }
        #expect(fort.asked.withLock { $0.sorted() } == ["aed", "sar"])
        // The probe finds out that the account's answers are correct again.
        fort.answers.withLock { $0["sar"] = nil }
        fort.pass(.milliseconds(5_000))
        await probe.askDue()
        #expect(await probe.whyUnverified("sar") == nil)
    }

    @Test(
        "S6: a verified refusal proves the account's phrases as well as a verified answer does",
        arguments: ["11036", "00008", "00040", "12000"])
    func verifiedRefusal(code: String) async {
        fort.answers.withLock { $0["aed"] = Fort.Answer(code: code) }
        #expect(await probe.whyUnverified("aed") == nil)
    }

    @Test("an account that was verified stays chargeable, whatever comes later")
    func staysVerified() async {
        #expect(await probe.whyUnverified("aed") == nil)
        for answer in [Fort.Answer(phrase: Secret("another")), Fort.Answer(failure: .unknown(reason: "timeout"))] {
            fort.answers.withLock { $0["aed"] = answer }
            fort.pass(.seconds(30))
            await probe.askDue()
            #expect(availability.all[0].state != .answering)
            #expect(await probe.whyUnverified("aed") == nil)
            #expect(availability.all[0].whyNotCharged == nil)
        }
        availability.circuitBreakerChanged(isClosed: false)
        #expect(await probe.whyUnverified("aed") == nil)
    }

    @Test("an account that was never verified is queried again soon, with a pause that grows to five seconds")
    func growingPause() async {
        fort.answers.withLock { $0["aed"] = Fort.Answer(phrase: Secret("another")) }
        _ = await probe.whyUnverified("sar")
        _ = await probe.whyUnverified("aed")
        var count = 1
        for pause in [500, 1_000, 2_000, 4_000, 5_000, 5_000] {
            fort.pass(.milliseconds(pause - 1))
            await probe.askDue()
            #expect(fort.asked.withLock { $0.count { $0 == "aed" } } == count)
            fort.pass(.milliseconds(1))
            await probe.askDue()
            count += 1
            #expect(fort.asked.withLock { $0.count { $0 == "aed" } } == count)
        }
    }

    @Test("an account that was never queried is queried as soon as an operator looks, and once")
    func queriedWhenLookedAt() async {
        availability.querySoon()
        await probe.askDue()
        availability.querySoon()
        await probe.askDue()
        #expect(fort.asked.withLock { $0.sorted() } == ["aed", "sar"])
        #expect(states == [.answering, .answering])
    }

    @Test(
        "while the circuit breaker is open an account that was never verified is refused at once; once it closes, a charge queries"
    )
    func refusesWhileTheBreakerIsOpen() async {
        availability.circuitBreakerChanged(isClosed: false)
        let unverified = await probe.whyUnverified("aed")
        #expect(unverified?.isAnswering == false)
        #expect(fort.asked.withLock { $0 } == [])
        availability.circuitBreakerChanged(isClosed: true)
        #expect(await probe.whyUnverified("aed") == nil)
    }
}
