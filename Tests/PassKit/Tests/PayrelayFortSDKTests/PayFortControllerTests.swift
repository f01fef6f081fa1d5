import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient
@testable import PayrelayFortSDK

/// An app that used FORT's mobile SDK, with the code that is ported.
@Suite(.timeLimit(.minutes(25))) struct PayFortControllerTests {
    /// A transport that gives every request the same answer, and records the requests.
    private final class OneAnswer: RelayTransport, @unchecked Sendable {
        // Changed under the lock.
        private let lock = NSLock()
        private var requests: [TransportRequest] = []
        private let answer: Result<TransportResponse, TransportFailure>

        init(_ answer: Result<TransportResponse, TransportFailure>) { self.answer = answer }

        var sent: [TransportRequest] { lock.withLock { requests } }

        func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
            lock.withLock { requests.append(request) }
            return try answer.get()
        }
    }

    /// A clock that advances by itself: a limit of 25 seconds is over at once.
    private struct FastClock: RelayClock {
        private final class Time: @unchecked Sendable {
            let lock = NSLock()
            var seconds = 0.0
        }

        private let time = Time()

        var now: Double { time.lock.withLock { time.seconds } }

        func sleep(seconds: Double) async throws {
            // Time limits wait for the work that they limit.
            while seconds > 15, now < seconds {
                try Task.checkCancellation()
                await Task.yield()
            }
            time.lock.withLock { time.seconds += seconds > 15 ? 0 : seconds }
        }
    }

    private enum Told: Equatable {
        case success([String: String])
        case canceled([String: String])
        case failed([String: String], String?)
    }

    private static func payment(_ data: String = "{}") -> PKPayment {
        let method = PKPaymentMethod(displayName: "Visa 1111", network: .visa, type: .debit)
        return PKPayment(
            token: PKPaymentToken(paymentMethod: method, transactionIdentifier: "aa11", paymentData: Data(data.utf8)))
    }

    private func controller(
        _ transport: OneAnswer, _ enviroment: KPayFortEnviroment = KPayFortEnviromentProduction,
        relay: String = "https://pay.example.com"
    ) throws -> PayFortController {
        var settings = RelayClient.Settings()
        settings.clock = FastClock()
        return PayFortController(enviroment, try #require(URL(string: relay)), transport, settings)
    }

    /// Pays, and returns what the app's closures get.
    @MainActor
    private func pay(
        _ controller: PayFortController, _ request: NSDictionary = FortRequestTests.sample as NSDictionary,
        _ payment: PKPayment = payment()
    ) async -> (request: [String: String]?, told: Told) {
        await withCheckedContinuation { continuation in
            controller.callPayFortForApplePay(
                withRequest: request, applePayPayment: payment, currentViewController: nil,
                success: { request, response in
                    let request = request as? [String: String]
                    continuation.resume(returning: (request, .success(response as? [String: String] ?? [:])))
                },
                faild: { request, response, message in
                    let request = request as? [String: String]
                    continuation.resume(returning: (request, .failed(response as? [String: String] ?? [:], message)))
                })
        }
    }

    private func answer(_ outcome: String) throws -> OneAnswer {
        let document = try FortResponseTests.document(outcome, ["fort_id": "1", "response_code": "02000"])
        return OneAnswer(.success(TransportResponse(status: 200, body: document.json.encoded())))
    }

    @Test("The sample's payment succeeds: the order token authenticates, and no closure is given it")
    func success() async throws {
        let relay = try answer("authorized")
        let (request, told) = await pay(try controller(relay))
        guard case .success(let response) = told else { return #expect(Bool(false), "\(told)") }
        #expect(response["response_code"] == "02000")
        #expect(response["fort_id"] == "1")
        let sent = try #require(relay.sent.first)
        #expect(sent.url == "https://pay.example.com/v1/payments")
        #expect(sent.headers.first { $0.name == "Authorization" }?.value == "Bearer eyJhbGciOi.J9.x-_1")
        let body = try JSON(parsing: try #require(sent.body))
        #expect(body["sdk_token"] == nil)
        #expect(body["amount"] == 10_000)
        #expect(request?["sdk_token"] == nil)
        #expect(request?["merchant_reference"] == "merchant")
    }

    @Test("An uncertain payment and a lost answer are failures that forbid to pay again")
    func uncertain() async throws {
        for relay in [try answer("uncertain"), OneAnswer(.failure(.lost("")))] {
            let (_, told) = await pay(try controller(relay))
            guard case .failed(let response, let message) = told else { return #expect(Bool(false), "\(told)") }
            #expect(response["response_code"] == "15777")
            #expect(response[PayFortController.mayHaveBeenChargedKey] == "YES")
            #expect(message == CustomerTexts(.english).beingChecked)
        }
    }

    @Test("checkStatus queries a payment and pays nothing; a payment of another amount is not this order's")
    func checkStatus() async throws {
        for (outcome, amount, told) in [
            ("authorized", 10_000, "02000"), ("declined", 10_000, "03666"), ("uncertain", 10_000, "15777"),
            ("authorized", 1, "15777"), ("declined", 1, "00066"),
        ] {
            let document = try FortResponseTests.document(outcome, ["amount": JSON(amount)])
            let relay = OneAnswer(.success(TransportResponse(status: 200, body: document.json.encoded())))
            let controller = try controller(relay)
            let code = await withCheckedContinuation { continuation in
                let answered: PayFortController.Closure = {
                    continuation.resume(returning: $1?["response_code"] as? String)
                }
                controller.checkStatus(
                    withRequest: FortRequestTests.sample as NSDictionary, success: answered,
                    faild: { request, response, _ in answered(request, response) })
            }
            #expect(code == told, "\(outcome) \(amount)")
            #expect(relay.sent.allSatisfy { $0.method == "GET" && $0.url.hasSuffix("/v1/payments/merchant") })
        }
    }

    @Test("A payment that never arrived, or was not sent, may be paid under its own reference, and under no other")
    func checkStatusOfNoPayment() async throws {
        let missing = ProblemDocument(.noSuchPayment, "d")
        let unsent = try FortResponseTests.document("not_sent")
        let declined = try FortResponseTests.document("declined")
        let open = try FortResponseTests.document("uncertain")
        for (status, body, mayHaveBeenCharged, mayBePaid) in [
            (404, missing.json, "YES", "YES"), (200, unsent.json, "YES", "YES"), (200, declined.json, "NO", nil),
            (202, open.json, "YES", nil),
        ] as [(Int, JSON, String, String?)] {
            let relay = OneAnswer(.success(TransportResponse(status: status, body: body.encoded())))
            let controller = try controller(relay)
            let response: [String: String] = await withCheckedContinuation { continuation in
                let answered: PayFortController.Closure = {
                    continuation.resume(returning: $1 as? [String: String] ?? [:])
                }
                controller.checkStatus(
                    withRequest: FortRequestTests.sample as NSDictionary, success: answered,
                    faild: { request, response, _ in answered(request, response) })
            }
            #expect(response[PayFortController.mayHaveBeenChargedKey] == mayHaveBeenCharged, "\(body)")
            #expect(response[PayFortController.mayBePaidUnderSameReferenceKey] == mayBePaid, "\(body)")
            guard mayBePaid != nil else { continue }
            #expect(response["response_code"] == "15777", "\(body)")
            #expect(response["response_message"] == CustomerTexts(.english).beingChecked, "\(body)")
        }
    }

    @Test("Wrong fields and an unreadable token are named, and nothing is sent")
    func wrongFields() async throws {
        let relay = try answer("authorized")
        let request: NSDictionary = ["amount": 5, "currency": "XXX"]
        let (_, told) = await pay(try controller(relay), request)
        guard case .failed(let response, let message) = told else { return #expect(Bool(false), "\(told)") }
        #expect(message?.contains("amount must be a text; ") == true)
        #expect(message?.contains("currency must be a currency of ISO 4217; ") == true)
        #expect(response["response_message"] == message)
        #expect(response["response_code"] == "00002")
        let unreadable = await pay(try controller(relay), FortRequestTests.sample as NSDictionary, Self.payment("x"))
        guard case .failed(_, "applePayPayment paymentData is not a JSON object") = unreadable.told else {
            return #expect(Bool(false), "\(unreadable)")
        }
        #expect(relay.sent.isEmpty)
    }

    @Test("Production takes https alone, and the sandbox plain http on this machine too")
    func environments() async throws {
        for (enviroment, relay, isTaken) in [
            (.production, "https://pay.example.com", true), (.production, "http://127.0.0.1:8080", false),
            (.sandBox, "http://127.0.0.1:8080", true), (.sandBox, "http://pay.example.com", false),
        ] as [(KPayFortEnviroment, String, Bool)] {
            let transport = try answer("authorized")
            _ = await pay(try controller(transport, enviroment, relay: relay))
            #expect(transport.sent.isEmpty != isTaken, "\(relay)")
        }
    }

    @Test("The sheet of callPayFort succeeds, is cancelled, or is refused if it shows another amount")
    @MainActor func theSheet() async throws {
        for (amount, authorizes) in [("100.00", true), ("100.00", false), ("1.00", true)] {
            let relay = try answer("authorized")
            let sheet = SimulatedSheet()
            let paymentRequest = PKPaymentRequest()
            paymentRequest.currencyCode = "USD"
            paymentRequest.paymentSummaryItems = [
                PKPaymentSummaryItem(label: "Shop", amount: NSDecimalNumber(string: amount))
            ]
            let customer = Task {
                await sheet.shown()
                if authorizes { sheet.authorize(Self.payment()) } else { sheet.close() }
            }
            let controller = try controller(relay)
            let told: Told = await SimulatedSheet.$current.withValue(sheet) {
                await withCheckedContinuation { continuation in
                    controller.callPayFort(
                        withRequest: FortRequestTests.sample as NSDictionary, currentViewController: nil,
                        paymentRequest: paymentRequest,
                        success: { continuation.resume(returning: .success($1 as? [String: String] ?? [:])) },
                        canceled: { continuation.resume(returning: .canceled($1 as? [String: String] ?? [:])) },
                        faild: { continuation.resume(returning: .failed($1 as? [String: String] ?? [:], $2)) })
                }
            }
            switch (amount, authorizes, told) {
            case ("100.00", true, .success(let response)): #expect(response["response_code"] == "02000")
            case ("100.00", false, .canceled(let response)): #expect(response["response_code"] == "00072")
            case ("1.00", _, .failed(let response, _)):
                #expect(response["response_code"] == "00073")
                #expect(!sheet.wasShown)
            default: #expect(Bool(false), "\(amount) \(told)")
            }
            #expect(relay.sent.count == (authorizes && amount == "100.00" ? 1 : 0))
            if sheet.wasShown { await customer.value }
        }
    }

    @Test("getUDID is the same for every call, and one that is not a UUID is made anew")
    func theDevice() throws {
        let name = "PayFortControllerTests.\(UUID())"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let device = DeviceID.ofThisInstallation(defaults)
        #expect(UUID(uuidString: device) != nil)
        #expect(DeviceID.ofThisInstallation(defaults) == device)
        defaults.set("x", forKey: "payrelay.device_id")
        #expect(UUID(uuidString: DeviceID.ofThisInstallation(defaults)) != nil)
    }
}
