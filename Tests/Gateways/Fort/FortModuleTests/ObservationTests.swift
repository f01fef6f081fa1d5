import ApplePayToken
import FortAPI
import FortModule
import PaymentRelay
import PayrelayPrimitives
import Synchronization
import Testing

/// The reports about exchanges with FORT that operators receive.
@Suite struct ObservationTests {
    private final class Notes<Note: Sendable>: Sendable {
        private let list = Mutex<[Note]>([])
        var all: [Note] { list.withLock { $0 } }
        func add(_ note: Note) { list.withLock { $0.append(note) } }
    }

    private func clients(_ fort: ScriptedFort, _ notes: Notes<FortExchange> = Notes()) throws -> FortClients {
        let account = try #require(ScriptedFort.account)
        return FortClients(accounts: FortAccounts(account), endpoint: .fortTest, transport: fort) { notes.add($0) }
    }

    @Test func aTokenBeyondFORTsLimitsIsWarnedOfAndSent() async throws {
        let fort = try ScriptedFort(answering: ["response_code": "14000"])
        let long = String(repeating: "A", count: 504)
        var data = try #require(fort.json["paymentData"]?.objectValue)
        data["data"] = .string(long)
        var members = try #require(fort.json.objectValue)
        members["paymentData"] = .object(data)
        let token = try PaymentToken(json: .object(members))
        let told = Notes<String>()
        let gateway = FortGateway(clients: try clients(fort), timeout: .seconds(1)) { reference, limitViolations in
            for limitViolation in limitViolations { told.add("\(reference): \(limitViolation)") }
        }
        let charge = try gateway.prepare(Samples.fields, account: "default", with: token)
        #expect(await charge.send().answer?.meaning == .captured)
        #expect(told.all == ["A: apple_data must be at most 500 characters"])
        #expect(fort.requests.map { $0["apple_data"] } == [.string(long)])

        _ = await (try gateway.prepare(Samples.fields, account: "default", with: fort.token)).send()
        #expect(told.all.count == 1)
    }

    @Test func everyExchangeIsObservedWithItsCommandAndResult() async throws {
        let replies: [Outcome<[UInt8]>?] = [
            nil, .answered(Array("{}".utf8)), .unknown(reason: "x"), .notSent(reason: "x"),
        ]
        for reply in replies {
            let fort = try ScriptedFort { sent in reply ?? .answered(sent.answered(["response_code": "13666"])) }
            let notes = Notes<FortExchange>()
            let gateway = FortGateway(clients: try clients(fort, notes), timeout: .seconds(1))
            _ = await (try gateway.prepare(Samples.fields, account: "default", with: fort.token)).send()
            _ = await gateway.status(of: try Samples.payment())
            #expect(notes.all.map(\.command) == [.purchase, .checkStatus])
            for note in notes.all {
                switch (note.outcome, reply) {
                case (.answered(.success(let answer)), nil): #expect(answer.responseCode.description == "13666")
                case (.answered(.failure), .answered), (.unknown, .unknown), (.notSent, .notSent): break
                default: Issue.record("\(note.outcome) of \(String(describing: reply))")
                }
            }
        }
    }
}
