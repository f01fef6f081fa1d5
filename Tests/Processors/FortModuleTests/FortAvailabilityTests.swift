import OutboundHTTP
import FoundationEssentials
import PayrelayPrimitives
import ProcessorModule
import RelayServer
import Synchronization
import Testing

@testable import FortAPI
@testable import FortModule

@Suite struct FortAvailabilityTests {
    /// A FORT of which each account gets the answer that was set for it, and a clock that stands.
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

        func post(
            _ body: [UInt8], to endpoint: GatewayEndpoint, timeout: Duration
        ) async -> Outcome<(status: Int, body: [UInt8])> {
            let request = (try? JSON(parsing: body))?.objectValue ?? [:]
            let name = request["access_code"]?.stringValue ?? ""
            asked.withLock { $0.append(name) }
            let answer = answers.withLock { $0[name] } ?? Answer()
            if let failure = answer.failure { return failure }
            var message = request.filter { $0.name != "signature" }
            message["response_code"] = .string(answer.code)
            message["status"] = .string(String(answer.code.prefix(2)))
            message["response_message"] = "said"
            let phrase = answer.phrase ?? Secret("response-\(name)")
            let signature = FortSignature(of: message, phrase: phrase, type: .standard)
            message["signature"] = .string(signature.hexadecimal)
            return .answered((answer.status, JSON.object(message).encoded()))
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
            observe: { availability.observe($0, of: accounts, isQuestion: true) })
    }

    private var states: [AccountAvailability.State] { availability.all.map(\.state) }

    @Test("R15: an account that nobody asks about is asked within half a minute, and each has a state of its own")
    func asksOfItself() async {
        await probe.askDue()
        #expect(states == [.notAsked, .notAsked])
        #expect(fort.asked.withLock { $0 } == [])
        fort.answers.withLock { $0["sar"] = Fort.Answer(phrase: Secret("another")) }
        fort.pass(.seconds(30))
        await probe.askDue()
        #expect(states == [.answering, .unproven])
        #expect(availability.all[0].lastAnswer != nil && availability.all[1].lastAnswer == nil)
        // The one that is well rests, the other is asked again soon.
        fort.pass(.seconds(5))
        await probe.askDue()
        #expect(fort.asked.withLock { $0.sorted() } == ["aed", "sar", "sar"])
    }

    @Test(
        "R15: what a question finds out has a name of its own",
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
        // And is found to be over.
        fort.answers.withLock { $0["aed"] = Fort.Answer() }
        fort.pass(.seconds(30))
        await probe.askDue()
        #expect(states == [.answering, .answering])
    }

    @Test("R15: a request for which there was no place tells nothing of FORT, and has it asked")
    func aRequestThatWasNotSentTellsNothing() async {
        fort.pass(.seconds(30))
        await probe.askDue()
        availability.observe(
            FortExchange(
                command: .purchase, accessCode: "aed", duration: .zero,
                outcome: .notSent(reason: "no place")), of: fort.accounts)
        #expect(states == [.answering, .answering])
        fort.answers.withLock { $0["aed"] = Fort.Answer(failure: .unknown(reason: "timeout")) }
        await probe.askDue()
        #expect(states == [.notAnswering, .answering])
    }

    @Test("R15: while the circuit breaker is open each account says so, and each is asked once it closes")
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
}
