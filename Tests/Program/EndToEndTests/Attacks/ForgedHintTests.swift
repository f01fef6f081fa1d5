import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import TestPostgres
import TestPrograms
import Testing

/// Unasked messages are hints. FORT's signed text does not show where a name ends, so a client with one genuine message can
/// write others with the same signature. None of them changes anything that FORT does not confirm.
@Suite struct ForgedHintTests {
    private static let journals = ["sqlite", "postgres"].filter { $0 == "sqlite" || PostgresServer.isAvailable }

    private static func settings(_ journal: String) throws -> [String: String] {
        journal == "postgres" ? ["PAYRELAY_JOURNAL": try PostgresServer.shared.get().emptySchema()] : [:]
    }

    @Test("R12: a receipt has nothing that FORT's messages can be made of") func receiptsShowNoCredentials()
        async throws
    {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        let paid = try await relay.pay(Orders.body(reference).json)
        let refunded = try await relay.perform(reference, "refund", ["amount": 100])
        for answer in [paid, refunded, try await relay.get("/v1/payments/\(reference)")] {
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.status == 200 && text.contains("processor_response"))
            for name in [#""signature""#, "access_code", "merchant_identifier"] { #expect(!text.contains(name)) }
        }
    }

    /// The signed text of the genuine message is unchanged, but its names and values are split elsewhere.
    @Test("R12: a genuine message that is split into other names marks no other order as paid", arguments: journals)
    func aGenuineMessageWithOtherNamesChangesNothing(journal: String) async throws {
        let relay = try await RunningRelay(Self.settings(journal))
        let account = relay.sandboxAccount
        let victim = Orders.reference()
        var genuine = FortMessages.success(.purchase, of: victim + "n", amount: "100")
        genuine["access_code"] = .string(account.accessCode)
        genuine["merchant_identifier"] = .string(account.merchantIdentifier)
        genuine["authorization_code"] = "831000"
        genuine["payment_option"] = "VISA"
        let signature = FortSignature(of: genuine, phrase: Secret(account.responsePhrase), type: account.type)

        /// Returns the message with some parameters replaced.
        func forged(_ changes: [String: JSON?]) -> JSONObject {
            var message = genuine
            for (name, value) in changes { message[name] = value }
            return message
        }
        let forgeries = [
            forged(["merchant_reference": .string(victim), "payment_option": nil, "npayment_option": "VISA"]),
            forged(["amount": "100authorization_code=831000", "authorization_code": nil]),
            forged(["merchant_reference": .string(victim + "npayment_option=VISA"), "payment_option": nil]),
            forged(["merchant_reference": .string(victim + "npayment_"), "payment_option": nil, "option": "VISA"]),
        ]
        for message in forgeries {
            #expect(
                FortSignature(of: message, phrase: Secret(account.responsePhrase), type: account.type) == signature,
                "the text of a forgery is the genuine one's")
            for kind in ["direct", "notification"] {
                let answer = try await relay.post(
                    "/v1/feedback/\(kind)", JSON.object(message.signed(signature.hexadecimal)).encoded())
                #expect(answer.status == 200)
                let form = message.signed(signature.hexadecimal).members.map { member in
                    let value = member.value.stringValue?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                    return "\(member.name)=\(value ?? "")"
                }
                let inAForm = try await relay.post(
                    "/v1/feedback/\(kind)", Array(form.joined(separator: "&").utf8),
                    contentType: "application/x-www-form-urlencoded")
                #expect(inAForm.status == answer.status)
            }
        }
        try await relay.waitForInvestigations(1)
        for reference in [victim, victim + "n", victim + "npayment_"] {
            #expect(try await relay.get("/v1/payments/\(reference)").status == 404)
        }
        // The order can still be paid.
        #expect(try await relay.pay(Orders.body(victim).json).outcome == "captured")
    }

    /// The strongest forger can sign messages. FORT's answers to queries are still its own.
    @Test("R11: signed feedback that FORT does not confirm changes no payment in any state", arguments: journals)
    func signedFeedbackIsNotBelieved(journal: String) async throws {
        let fort = try AnsweringFort { request in
            let reference = request["merchant_reference"]?.stringValue ?? ""
            let isAuthorization = request["command"] == "AUTHORIZATION" || reference.hasPrefix("A")
            if request["query_command"] == "CHECK_STATUS" {
                if reference.hasPrefix("D") {
                    return [
                        "response_code": "12000", "status": "12", "transaction_status": "13",
                        "transaction_code": "13666", "fort_id": "1",
                    ]
                }
                guard !reference.hasPrefix("N") else { return ["response_code": "12036", "status": "12"] }
                return [
                    "response_code": "12000", "status": "12", "transaction_status": isAuthorization ? "02" : "14",
                    "transaction_code": isAuthorization ? "02000" : "14000", "authorized_amount": "10000",
                    "captured_amount": isAuthorization ? "0" : "10000", "refunded_amount": "0", "fort_id": "1",
                ]
            }
            if reference.hasPrefix("D") { return ["response_code": "13666", "status": "13", "fort_id": "1"] }
            return [
                "response_code": isAuthorization ? "02000" : "14000", "status": isAuthorization ? "02" : "14",
                "fort_id": "1",
            ]
        }
        let relay = try await RunningRelay(Self.settings(journal).merging(fort.settings) { $1 })
        let messages = FortMessages(relay: relay, account: relay.account(with: AnsweringFort.phrase))
        var before: [String: JSON] = [:]
        for (letter, command, outcome) in [
            ("A", "AUTHORIZATION", "authorized"), ("C", "PURCHASE", "captured"), ("D", "PURCHASE", "declined"),
        ] {
            let reference = letter + Orders.reference()
            let paid = try await relay.pay(Orders.body(reference).with(["command": .string(command)]))
            #expect(paid.outcome == outcome)
            before[reference] = try await relay.get("/v1/payments/\(reference)").json?.withoutQuestions
        }
        let unknown = "N" + Orders.reference()
        var sent = 0
        for reference in before.keys.sorted() + [unknown] {
            for command in [FortCommand.authorization, .purchase, .capture, .voidAuthorization, .refund] {
                for amount: JSON in ["10000", "4000"] {
                    let answer = try await messages.post(FortMessages.success(command, of: reference, amount: amount))
                    #expect(answer.status == 200)
                    sent += 1
                }
                var declined = FortMessages.success(command, of: reference)
                declined["response_code"] = "13666"
                declined["status"] = "13"
                #expect(try await messages.post(declined, to: "direct").status == 200)
            }
        }
        #expect(sent == 40)
        try await relay.waitForInvestigations(before.count + 1)
        for (reference, known) in before {
            #expect(try await relay.get("/v1/payments/\(reference)").json?.withoutQuestions == known)
        }
        #expect(try await relay.get("/v1/payments/\(unknown)").status == 404)
    }

    @Test("R11: a charge that FORT proves is recorded and reported, even if FORT had declined it before")
    func aProvenChargeIsNotDropped() async throws {
        let isCharged = Mutex(false)
        let fort = try AnsweringFort { request in
            guard request["query_command"] == "CHECK_STATUS" else {
                return ["response_code": "13666", "status": "13", "fort_id": "1"]
            }
            guard isCharged.withLock({ $0 }) else {
                return [
                    "response_code": "12000", "status": "12", "transaction_status": "13",
                    "transaction_code": "13666", "fort_id": "1",
                ]
            }
            return [
                "response_code": "12000", "status": "12", "transaction_status": "14", "transaction_code": "14000",
                "authorized_amount": "10000", "captured_amount": "10000", "refunded_amount": "0", "fort_id": "2",
            ]
        }
        let relay = try await RunningRelay(fort.settings)
        let messages = FortMessages(relay: relay, account: relay.account(with: AnsweringFort.phrase))
        let reference = Orders.reference()
        let body = try Orders.body(reference).json
        #expect(try await relay.pay(body).outcome == "declined")
        isCharged.withLock { $0 = true }
        #expect(try await messages.post(FortMessages.success(.purchase, of: reference), to: "direct").status == 200)
        #expect(try await relay.outcome(of: reference) { $0 != "declined" } == "captured")
        #expect(try await relay.metric(#"payrelay_contradictions_total{kind="charged_after_all"}"#) == 1)
        #expect(try await relay.pay(body).outcome == "captured")
    }

    @Test("R14: a second charge with one reference is reported, and does not become the payment's")
    func aSecondChargeIsToldOf()
        async throws
    {
        let number = Mutex("1")
        let fort = try AnsweringFort.withASecondCharge { number.withLock { $0 } }
        let relay = try await RunningRelay(fort.settings)
        let messages = FortMessages(relay: relay, account: relay.account(with: AnsweringFort.phrase))
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        number.withLock { $0 = "2" }
        var second = FortMessages.success(.purchase, of: reference, amount: "20000")
        second["fort_id"] = "2"
        for _ in 0..<3 { #expect(try await messages.post(second).status == 200) }
        try await relay.waitForInvestigations(1)
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.outcome == "captured" && shown.json?["captured_amount"] == 10_000)
        let told = shown.json?["history"]?.arrayValue?.filter {
            $0["reason"]?.stringValue?.contains("second charge, 2") ?? false
        }
        #expect(told?.count == 1)
        #expect(try await relay.metric(#"payrelay_contradictions_total{kind="second_charge"}"#) == 1)
    }

    @Test("S14: a flood of hints causes few queries to FORT, and an address that floods is refused")
    func aFloodOfHintsIsBounded() async throws {
        let questions = Mutex<[String: Int]>([:])
        let fort = try AnsweringFort { request in
            guard request["query_command"] == "CHECK_STATUS" else {
                return ["response_code": "14000", "status": "14", "fort_id": "1"]
            }
            let reference = request["merchant_reference"]?.stringValue ?? ""
            questions.withLock { $0[reference, default: 0] += 1 }
            return [
                "response_code": "12000", "status": "12", "transaction_status": "14", "transaction_code": "14000",
                "authorized_amount": "10000", "captured_amount": "10000", "refunded_amount": "0", "fort_id": "1",
            ]
        }
        let relay = try await RunningRelay(fort.settings)
        let messages = FortMessages(relay: relay, account: relay.account(with: AnsweringFort.phrase))
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        // An address may cause only a limited number of queries. Further messages are refused, and FORT would send them again.
        var statuses: [Int: Int] = [:]
        let start = ContinuousClock.now
        for number in 0..<1_500 {
            let told = FortMessages.success(.refund, of: reference, amount: .string("\(number % 7 + 1)"))
            statuses[try await messages.post(told).status, default: 0] += 1
        }
        #expect(Set(statuses.keys).isSubset(of: [200, 429]))
        // On a machine that is too busy the messages are not a flood.
        if ContinuousClock.now - start < .seconds(15) { #expect(statuses[429] ?? 0 > 0) }
        try await relay.waitForInvestigations(1)
        #expect(try await relay.get("/v1/payments/\(reference)").json?["refunded_amount"] == 0)
        let minutes = Int((ContinuousClock.now - start).components.seconds / 60)
        // Each investigation queries by the reference, and by the charge's number that the hints name.
        #expect(questions.withLock { $0[reference] ?? 0 } < 2 * (10 + minutes))
    }
}

extension JSONObject {
    fileprivate func signed(_ signature: String) -> JSONObject {
        var message = self
        message["signature"] = .string(signature)
        return message
    }
}

extension JSON {
    /// The payment's view without the number of queries that changed nothing.
    fileprivate var withoutQuestions: JSON {
        guard var members = objectValue else { return self }
        members["history"] = members["history"]?.arrayValue.map { entries in
            .array(
                entries.map { entry in
                    guard var members = entry.objectValue else { return entry }
                    members["asked"] = nil
                    return .object(members)
                })
        }
        return .object(members)
    }
}
