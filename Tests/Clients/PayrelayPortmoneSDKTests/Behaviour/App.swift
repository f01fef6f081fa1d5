import Foundation
import FoundationNetworking
import PayrelayPrimitives
import Testing

@testable import PayrelayPortmoneSDK

/// The app of one test: the SDK's calls, with their completions awaited.
@MainActor
struct App {
    static let phone = "380666789555"

    let base: String
    let state = SDKState()

    init(port: Int) throws {
        base = "http://127.0.0.1:\(port)"
        try initialize()
    }

    /// Makes an app over the test's wallet.
    init(_ wallet: any WalletService) {
        base = ""
        state.initialize(merchantKey: "key", clientId: "client", wallet: wallet)
    }

    func initialize(clientId: String = "client") throws {
        let url = try #require(URL(string: base))
        state.initialize(merchantKey: "key", clientId: clientId, wallet: try SandboxWallet(url: url))
    }

    /// Authorizes a user. Returns the error's code, or `nil` on success.
    func authorize(_ phone: String = phone, userId: String = "3715100") async -> Int? {
        await operation { AuthorizationService(state).authorize(phone: phone, userId: userId, completion: $0) }
    }

    func add(
        _ name: String? = "MyCard", _ number: String = TestCard.plain, cvv: String = "123", month: String? = "12",
        year: String? = "40"
    ) async -> Int? {
        let card = MfsCard()
        card.cardName = name
        card.expireMonth = month
        card.expireYear = year
        let fields = (field(number), field(cvv))
        let code = await operation {
            CardsService(state).addMasterpassCard(card: card, cardNumber: fields.0, cvv: fields.1, completion: $0)
        }
        #expect(fields.0.text == nil && fields.1.text == nil, "a call empties its fields")
        return code
    }

    func validate(_ code: String) async -> Int? {
        let field = field(code)
        return await operation { CardsService(state).validateCode(code: field, completion: $0) }
    }

    func delete(_ name: String) async -> Int? {
        await operation { CardsService(state).deleteMasterpassCard(cardName: name, completion: $0) }
    }

    func cards() async throws -> [MasterpassCard] {
        try await value { CardsService(state).getMasterpassCards(completion: $0) }
    }

    func payees() async throws -> [Payee] {
        try await value { PayeeService(state).getPayees(completion: $0) }
    }

    /// Starts a transaction with the first card of the wallet.
    func transaction(
        _ delegate: PaymentLog<PayeePaymentTransaction>, amount: Double = 100, payeeId: String = "1001",
        bill: String = "\(UUID())", login: String = "login"
    ) async throws -> PayeePaymentTransaction {
        let card = try await cards().first ?? MasterpassCard(cardBin: "444433********11", name: "none")
        let params = CommissionParams(card: card, billAmount: amount, merchantLogin: login, billNumber: bill)
        return try await value {
            delegate.service(state).getCommission(commissionParams: params, payeeId: payeeId, completion: $0)
        }
    }

    func field(_ text: String) -> MfsTextField {
        let field = MfsTextField()
        field.text = text
        return field
    }

    private func operation(_ call: (@escaping OperationCompletion) -> Void) async -> Int? {
        let (isSuccess, error) = await withCheckedContinuation { continuation in
            // A second completion would resume the continuation twice, which ends the process.
            call { continuation.resume(returning: ($0, $1 as? PortmoneError)) }
        }
        #expect(isSuccess == (error == nil))
        return error?.code
    }

    func value<Value: Sendable>(_ call: (@escaping (Value?, (any Error)?) -> Void) -> Void) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            call { value, error in
                if let value, error == nil { return continuation.resume(returning: value) }
                continuation.resume(throwing: error ?? PortmoneError.internal)
            }
        }
    }

    /// Sends one request without the SDK, as any client may.
    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> (Int, JSON?) {
        var request = URLRequest(url: try #require(URL(string: base + path)))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, try? JSON(parsing: Array(data)))
    }

    func get(_ url: String) async throws -> (Int, String) {
        let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: url)))
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
}

/// Card numbers from docs/portmone-sdk.md.
enum TestCard {
    static let plain = "4444333322221111"
    static let bankCode = number("13", "00")
    static let phoneCode = number("14", "00")
    static let bothCodes = number("15", "00")
    static let by2d = number("00", "02")
    static let by3d = number("00", "03")

    /// Returns a card number with its check digit.
    static func number(_ codes: String, _ verification: String) -> String {
        let digits = "444433\(codes)\(verification)00000"
        var sum = 0
        for (place, digit) in digits.utf8.reversed().enumerated() {
            let value = Int(digit) - 0x30
            let doubled = place.isMultiple(of: 2) ? value * 2 : value
            sum += doubled / 10 + doubled % 10
        }
        return digits + "\((10 - sum % 10) % 10)"
    }
}

/// Records the calls of a delegate's methods, and waits for the next one.
@MainActor
final class PaymentLog<Transaction: PaymentTransaction> {
    enum News {
        case finished(Transaction)
        case failed(Int?)
        case waitingFor2d(Transaction)
        case waitingForCode(Transaction)
        case waitingFor3d(PortmoneWebView)
        case finished3d(PortmoneWebView)

        var bill: Bill? { if case .finished(let transaction) = self { transaction.payment.bill } else { nil } }
        var code: Int? { if case .failed(let code) = self { code } else { nil } }
        var waitingFor2d: Transaction? { if case .waitingFor2d(let transaction) = self { transaction } else { nil } }
        var waitingForCode: Transaction? {
            if case .waitingForCode(let transaction) = self { transaction } else { nil }
        }
        var webView: PortmoneWebView? { if case .waitingFor3d(let webView) = self { webView } else { nil } }
        var finished3d: PortmoneWebView? { if case .finished3d(let webView) = self { webView } else { nil } }
    }

    private let stream = AsyncStream.makeStream(of: News.self)
    private lazy var iterator = stream.stream.makeAsyncIterator()
    private(set) var count = 0

    func add(_ news: News) {
        count += 1
        stream.continuation.yield(news)
    }

    /// Returns the next call of the delegate.
    func next() async throws -> News {
        var own = iterator
        defer { iterator = own }
        return try #require(await own.next(isolation: MainActor.shared))
    }
}

extension PaymentLog: PayeePaymentDelegate where Transaction == PayeePaymentTransaction {
    func service(_ state: SDKState) -> PayeePaymentService { PayeePaymentService(self, state) }

    func didFinishPayment(transaction: PayeePaymentTransaction) { add(.finished(transaction)) }
    func paymentIsWaitingFor2dVerification(transaction: PayeePaymentTransaction) { add(.waitingFor2d(transaction)) }
    func paymentIsWaitingFor3dVerification(webView: PortmoneWebView) { add(.waitingFor3d(webView)) }
    func paymentIsFinishedFor3dVerification(webView: PortmoneWebView) { add(.finished3d(webView)) }
    func verificationIsWaitingForFinish(transaction: PayeePaymentTransaction) { add(.waitingForCode(transaction)) }
    func didFinishPayment(with error: (any Error)?) { add(.failed((error as? PortmoneError)?.code)) }
}

/// The same record for top-ups. (A class cannot conform under two conditions to protocols that share a method.)
@MainActor
final class TopUpLog: TopUpMobileServiceDelegate {
    let log = PaymentLog<TopUpMobileTransaction>()

    func didFinishPayment(transaction: TopUpMobileTransaction) { log.add(.finished(transaction)) }
    func paymentIsWaitingFor2dVerification(transaction: TopUpMobileTransaction) { log.add(.waitingFor2d(transaction)) }
    func paymentIsWaitingFor3dVerification(webView: PortmoneWebView) { log.add(.waitingFor3d(webView)) }
    func paymentIsFinishedFor3dVerification(webView: PortmoneWebView) { log.add(.finished3d(webView)) }
    func verificationIsWaitingForFinish(transaction: TopUpMobileTransaction) { log.add(.waitingForCode(transaction)) }
    func didFinishPayment(with error: (any Error)?) { log.add(.failed((error as? PortmoneError)?.code)) }
}
