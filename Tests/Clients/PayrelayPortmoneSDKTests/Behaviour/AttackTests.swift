import Foundation
import MasterpassSandbox
import PayrelayClient
import PayrelayPrimitives
import Testing

@testable import PayrelayPortmoneSDK

@Suite(.timeLimit(.minutes(25))) @MainActor struct AttackTests {
    private typealias Log = PaymentLog<PayeePaymentTransaction>

    private static let params = PaymentParams(contractNumber: "123456")

    @Test("A transaction of another call than the required one is refused: 2007, 2008, 2014")
    func wrongOrigin() async throws {
        try await RunningSandbox.with { app async throws in
            let log = Log()
            let service = log.service(app.state)
            #expect(await app.authorize() == nil)
            #expect(await app.add("Card", TestCard.by2d) == nil)
            let quoted = try await app.transaction(log)
            service.proceedPayment(paymentParams: Self.params, transaction: quoted)
            let waiting = try #require(try await log.next().waitingFor2d)
            service.startVerify2dCard(transaction: waiting, cvv2: "123")
            let started = try #require(try await log.next().waitingForCode)
            service.finishVerify2dCard(transaction: started, verificationCode: "333333")
            guard case .finished(let paid) = try await log.next() else {
                Issue.record("not paid")
                return
            }
            for transaction in [waiting, started, paid] {
                service.proceedPayment(paymentParams: Self.params, transaction: transaction)
                #expect(try await log.next().code == 2008)
            }
            for transaction in [quoted, started, paid] {
                service.startVerify2dCard(transaction: transaction, cvv2: "123")
                #expect(try await log.next().code == 2007)
            }
            for transaction in [quoted, waiting, paid] {
                service.finishVerify2dCard(transaction: transaction, verificationCode: "333333")
                #expect(try await log.next().code == 2014)
            }
            // The transactions are refused also while another user is authorized.
            #expect(await app.authorize("380000000002") == nil)
            service.proceedPayment(paymentParams: Self.params, transaction: quoted)
            #expect(try await log.next().code == 2008)
            service.startVerify2dCard(transaction: waiting, cvv2: "123")
            #expect(try await log.next().code == 2007)
            service.finishVerify2dCard(transaction: started, verificationCode: "333333")
            #expect(try await log.next().code == 2014)
        }
    }

    @Test("The sandbox itself refuses payments of another session, and steps that are skipped")
    func forgedPayments() async throws {
        try await RunningSandbox.with { app async throws in
            func ask(_ call: String, _ body: JSONObject) async throws -> JSON {
                let text = String(decoding: JSON.object(body).encoded(), as: UTF8.self)
                let (status, json) = try await app.post("/masterpass/\(call)", text)
                #expect(status == 200)
                return try #require(json)
            }
            func session(_ phone: JSON) async throws -> JSON {
                let body: JSONObject = ["merchantKey": "k", "clientId": "c", "phone": phone, "userId": "u"]
                return try #require(try await ask("authorize", body)["result"]?["session"])
            }
            let own = try await session("380000000001")
            let other = try await session("380000000002")
            for token in [own, other] {
                let card: JSONObject = [
                    "session": token, "cardName": "C", "cardNumber": .string(TestCard.by2d), "expireMonth": "12",
                    "expireYear": "40", "cvv": "123",
                ]
                _ = try await ask("addMasterpassCard", card)
            }
            let mask = JSON.string("444433********" + TestCard.by2d.suffix(2))
            let quote = try await ask(
                "getCommission",
                [
                    "session": own, "cardName": "C", "cardBin": mask, "billAmount": 100, "merchantLogin": "l",
                    "billNumber": "1", "payeeId": "1001",
                ])
            let payment = try #require(quote["result"]?["payment"])
            let steps: [(String, JSONObject, JSON)] = [
                ("startVerify2dCard", ["cvv2": "123"], 2007),
                ("finishVerify2dCard", ["verificationCode": "333333"], 2014),
                ("getVerification3d", [:], 2110),
            ]
            for (call, fields, code) in steps {
                var body = fields
                body["session"] = own
                body["payment"] = payment
                #expect(try await ask(call, body)["error"]?["code"] == code)
            }
            for (token, payment) in [(other, payment), (own, "forged"), (own, "")] {
                let body: JSONObject = ["session": token, "payment": payment, "contractNumber": "1"]
                #expect(try await ask("proceedPayment", body)["error"]?["code"] == 2008)
            }
            for token: JSON in ["", "forged", .string(String(repeating: "0", count: 32))] {
                #expect(try await ask("getPayees", ["session": token])["error"]?["code"] == 2000)
            }
            for amount: JSON in [-1, .number("1e3"), .number("1.0"), "100", 99_999_999_999, .null, .number("010")] {
                let (_, answer) = try await app.post(
                    "/masterpass/getCommission",
                    #"{"session":\#(text(own)),"payeeId":"1001","billAmount":\#(text(amount)),"merchantLogin":"l"}"#)
                let code = try #require(answer?["error"]?["code"])
                #expect(code == 2004 || code == 2100)
            }
        }
    }

    private func text(_ json: JSON) -> String { String(decoding: json.encoded(), as: UTF8.self) }

    @Test("The sandbox refuses bodies that are too long, not JSON, too deep, or have other fields")
    func hostileBodies() async throws {
        try await RunningSandbox.with { app async throws in
            let path = "/masterpass/authorize"
            #expect(try await app.post(path, String(repeating: " ", count: 4_097)).0 == 413)
            let long = String(repeating: "x", count: 129)
            for body in [
                "", "x", "[]", "{", #"{"phone":1}"#, #"{"phone":["380"]}"#, #"{"phone":null}"#,
                #"{"phone":"380666789555","phone":"380666789555"}"#, #"{"other":"x"}"#, #"{"session":"x"}"#,
                #"{"userId":"\#(long)"}"#, String(repeating: "[", count: 4_000),
            ] {
                let (status, answer) = try await app.post(path, body)
                #expect(status == 200)
                #expect(answer?["error"]?["code"] == 2100, "\(body)")
            }
            #expect(try await app.post("/masterpass/other", "{}").0 == 404)
            #expect(try await app.post("//masterpass/getPayees", "{}").0 == 404)
        }
    }

    @Test("A client that sends half of a request does not hold up a stop")
    func halfARequest() async throws {
        var connection: Int32 = -1
        defer { close(connection) }
        try await RunningSandbox.with { app async throws in
            connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port =
                in_port_t(try #require(app.base.split(separator: ":").last.flatMap { UInt16($0) })).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let connected = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            #expect(connected == 0)
            let half = "POST /masterpass/authorize HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
            #expect(send(connection, half, half.utf8.count, 0) == half.utf8.count)
            // An answer to a later request shows that the sandbox has received the half request.
            _ = try await app.post("/masterpass/getPayees", "{}")
        }
    }

    @Test(
        "A detail of a server's that would break a line is not shown",
        arguments: ["a\u{A}b", "a\u{202E}b", "a\u{2028}b"])
    func forgedDetail(detail: String) async throws {
        let body = JSON.object(["error": ["code": 2200, "detail": .string(detail)]]).encoded()
        let error = #expect(throws: PortmoneError.self) { try WalletAnswer(status: 200, body) }
        #expect(error?.detail == nil && error?.code == 2200)
    }

    @Test("No foreign web page reaches the sandbox through a browser")
    func crossSite() async throws {
        try await RunningSandbox.with { app async throws in
            let path = "/masterpass/getPayees"
            for (header, value, status) in [
                ("Origin", "https://evil.example", 403), ("Sec-Fetch-Site", "cross-site", 403),
                ("Origin", app.base, 200),
            ] {
                let answer = try await app.post(path, "{}", headers: [header: value])
                #expect(answer.0 == status)
            }
        }
    }

    @Test("The sandbox forgets the oldest beyond its limits, and a full wallet takes no card")
    func boundedMemory() async throws {
        var limits = MasterpassSandbox.Limits()
        limits.sessions = 3
        limits.cardsOfAWallet = 2
        limits.payments = 2
        try await RunningSandbox.with(MasterpassSandbox(limits: limits)) { app async throws in
            #expect(await app.authorize() == nil)
            #expect(await app.add("1") == nil)
            #expect(await app.add("2") == nil)
            #expect(await app.add("3") == 2200)
            let log = Log()
            let first = try await app.transaction(log)
            for _ in 1...2 { _ = try await app.transaction(log) }
            log.service(app.state).proceedPayment(paymentParams: Self.params, transaction: first)
            #expect(try await log.next().code == 2008)
            for phone in 1...3 {
                let body = #"{"merchantKey":"k","clientId":"c","userId":"u","phone":"38000000000\#(phone)"}"#
                _ = try await app.post("/masterpass/authorize", body)
            }
            #expect(await app.delete("1") == 2000)
        }
    }

    @Test(
        "An unreadable answer is error 2200, and a redirect is not followed",
        arguments: [
            "", "x", "{}", #"{"result":[]}"#, #"{"result":{}}"#, #"{"error":{"code":"2000"}}"#,
            #"{"error":{"code":-1}}"#, #"{"error":{"code":1e3}}"#,
            #"{"result":{"progress":"3d","page":"//evil.example"}}"#,
            #"{"result":{"progress":"3d","page":"@evil.example/"}}"#,
            #"{"result":{"progress":"3d","page":"/masterpass/../x"}}"#,
            #"{"result":{"progress":"3d","page":"/masterpass/3d/a?b"}}"#,
            #"{"result":{"progress":"paid","bill":{"billId":"1","receipt":".evil.example","contractNumber":"1","payDate":1}}}"#,
            #"{"result":{"progress":"paid","bill":{"billId":"1","receipt":"/masterpass/r","contractNumber":"1","payDate":1e99}}}"#,
            #"{"result":{"cards":[{"cardBin":"4444333322221111","name":"A"}]}}"#,
            #"{"result":{"payees":[{"payeeId":"1","name":"n","contractNumberTitle":{},"contractNumberType":"X","needRedirect":true}]}}"#,
        ])
    func hostileAnswers(body: String) async throws {
        let wallet = try SandboxWallet(url: #require(URL(string: "http://127.0.0.1:1")), transport: OneAnswer(body))
        let session = WalletSession(token: "t")
        await #expect(throws: PortmoneError.self) {
            _ = try await wallet.pay(PaymentID("p"), Self.params, in: session)
        }
        await #expect(throws: PortmoneError.self) { _ = try await wallet.cards(in: session) }
        await #expect(throws: PortmoneError.self) { _ = try await wallet.payees(in: session) }
    }

    @Test("3D without a page is 2109, and no answer is 2101")
    func noPage() async throws {
        for (transport, code) in [
            (OneAnswer(#"{"result":{"progress":"3d"}}"#), 2109), (OneAnswer(nil), 2101),
            (OneAnswer("{}", status: 500), 2200),
        ] {
            let wallet = try SandboxWallet(url: #require(URL(string: "http://127.0.0.1:1")), transport: transport)
            let error = await #expect(throws: PortmoneError.self) {
                _ = try await wallet.pay(PaymentID("p"), Self.params, in: WalletSession(token: "t"))
            }
            #expect(error?.code == code)
        }
    }

    @Test(
        "Card numbers go to this machine alone",
        arguments: [
            "http://192.168.0.2:8084", "https://example.com", "http://127.0.0.1.example.com", "http://user@127.0.0.1",
            "http://127.0.0.1/path", "http://127.0.0.1?query", "file:///127.0.0.1", "http://localhost@evil.example",
        ])
    func otherMachines(url: String) throws {
        let url = try #require(URL(string: url))
        #expect(throws: PortmoneError.self) { try SandboxWallet(url: url) }
    }

    /// A transport that gives every request the same answer.
    private struct OneAnswer: RelayTransport {
        let body: String?
        let status: Int

        init(_ body: String?, status: Int = 200) {
            self.body = body
            self.status = status
        }

        func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
            guard let body else { throw .lost("no answer") }
            return TransportResponse(status: status, body: Array(body.utf8))
        }
    }
}
