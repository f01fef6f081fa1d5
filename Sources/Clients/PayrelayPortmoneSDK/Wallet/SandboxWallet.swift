public import Foundation
public import PayrelayClient
import PayrelayPrimitives

/// The wallet of payrelay's Masterpass sandbox, over HTTP.
///
/// The protocol is the sandbox's own and not Portmone's, which is not public. Only loopback addresses are
/// accepted, so that a card's number cannot leave the machine.
///
/// ```swift
/// let wallet = try SandboxWallet(url: sandboxURL)
/// PortmoneSDK(merchantKey: "merchant-key", clientId: "client-id", wallet: wallet)
/// ```
public struct SandboxWallet: WalletService {
    /// The sandbox's URL at its default port.
    public static let defaultURL = "http://127.0.0.1:8084"

    private let base: String
    private let transport: any RelayTransport

    private static let timeout = 30.0

    /// Uses the sandbox at ``defaultURL``.
    public init() {
        base = Self.defaultURL
        transport = URLSessionTransport()
    }

    /// Uses a sandbox at another address of this machine.
    ///
    /// - Parameters:
    ///   - url: the sandbox's scheme, loopback address and port.
    ///   - transport: sends the requests, which contain card numbers.
    /// - Throws: 2101 with the reason, if the URL is not `http` with a loopback address and no path.
    public init(url: URL, transport: any RelayTransport = URLSessionTransport()) throws(PortmoneError) {
        let text = "\(url)".dropping(last: "/")
        guard url.scheme == "http", url.path.isEmpty || url.path == "/",
            let host = url.host, IPAddress.isLoopback(host: host),
            (try? SecureURL.check(String(text))) != nil
        else { throw .connection.with("the sandbox's URL must be http with a loopback address and no path") }
        base = String(text)
        self.transport = transport
    }

    /// See ``WalletService/authorize(_:)``.
    public func authorize(_ user: WalletUser) async throws(PortmoneError) -> WalletAuthorization {
        let answer = try await ask(
            "authorize",
            [
                "merchantKey": .string(user.merchantKey.exposed), "clientId": .string(user.clientId),
                "phone": .string(user.phone), "userId": .string(user.userId),
            ])
        return WalletAuthorization(
            session: WalletSession(token: try answer.text("session")), verification: try answer.verification())
    }

    /// See ``WalletService/validate(_:in:)``.
    public func validate(
        _ code: SecretText, in session: WalletSession
    ) async throws(PortmoneError) -> CodeVerification? {
        try await ask("validateCode", ["code": code.json], in: session).verification()
    }

    /// See ``WalletService/cards(in:)``.
    public func cards(in session: WalletSession) async throws(PortmoneError) -> [MasterpassCard] {
        try await ask("getMasterpassCards", [:], in: session).cards()
    }

    /// See ``WalletService/add(_:in:)``.
    public func add(_ card: NewCard, in session: WalletSession) async throws(PortmoneError) -> CodeVerification? {
        try await ask(
            "addMasterpassCard",
            [
                "cardName": .string(card.name), "cardNumber": card.number.json,
                "expireMonth": .string(card.expireMonth), "expireYear": .string(card.expireYear),
                "cvv": card.cvv.json,
            ], in: session
        ).verification()
    }

    /// See ``WalletService/deleteCard(named:in:)``.
    public func deleteCard(named name: String, in session: WalletSession) async throws(PortmoneError) {
        _ = try await ask("deleteMasterpassCard", ["cardName": .string(name)], in: session)
    }

    /// See ``WalletService/payees(in:)``.
    public func payees(in session: WalletSession) async throws(PortmoneError) -> [Payee] {
        try await ask("getPayees", [:], in: session).payees()
    }

    /// See ``WalletService/quote(_:in:)``.
    public func quote(
        _ payment: ProposedPayment, in session: WalletSession
    ) async throws(PortmoneError) -> PaymentQuote {
        var request: JSONObject = [
            "cardName": .string(payment.card.name), "cardBin": .string(payment.card.cardBin),
            "billAmount": JSON(payment.amount), "merchantLogin": .string(payment.merchantLogin),
            "billNumber": .string(payment.billNumber),
        ]
        switch payment.recipient {
        case .payee(let identifier): request["payeeId"] = .string(identifier)
        case .phone(let number): request["phoneNumber"] = .string(number)
        }
        return try await ask("getCommission", request, in: session).quote()
    }

    /// See ``WalletService/pay(_:_:in:)``.
    public func pay(
        _ payment: PaymentID, _ params: PaymentParams, in session: WalletSession
    ) async throws(PortmoneError) -> PaymentProgress {
        var request: JSONObject = [
            "payment": .string(payment.text), "contractNumber": .string(params.contractNumber),
        ]
        request["attribute1"] = params.attribute1.map(JSON.string)
        request["attribute2"] = params.attribute2.map(JSON.string)
        request["attribute3"] = params.attribute3.map(JSON.string)
        request["attribute4"] = params.attribute4.map(JSON.string)
        request["emailAddress"] = params.emailAddress.map(JSON.string)
        return try await ask("proceedPayment", request, in: session).progress(base)
    }

    /// See ``WalletService/startVerification(of:cvv:in:)``.
    public func startVerification(
        of payment: PaymentID, cvv: SecretText, in session: WalletSession
    ) async throws(PortmoneError) {
        _ = try await ask("startVerify2dCard", ["payment": .string(payment.text), "cvv2": cvv.json], in: session)
    }

    /// See ``WalletService/finishVerification(of:code:in:)``.
    public func finishVerification(
        of payment: PaymentID, code: SecretText, in session: WalletSession
    ) async throws(PortmoneError) -> Bill {
        let request: JSONObject = ["payment": .string(payment.text), "verificationCode": code.json]
        return try await ask("finishVerify2dCard", request, in: session).bill(base)
    }

    /// See ``WalletService/outcomeOfPage(of:in:)``.
    public func outcomeOfPage(
        of payment: PaymentID, in session: WalletSession
    ) async throws(PortmoneError) -> Bill {
        try await ask("getVerification3d", ["payment": .string(payment.text)], in: session).bill(base)
    }

    /// Sends one call.
    ///
    /// - Throws: the error in the sandbox's response; 2101 if there is no response, 2200 if the response cannot
    ///   be read.
    private func ask(
        _ call: String, _ request: JSONObject, in session: WalletSession? = nil
    ) async throws(PortmoneError) -> WalletAnswer {
        var request = request
        request["session"] = session.map { .string($0.token.exposed) }
        let response: TransportResponse
        do throws(TransportFailure) {
            response = try await transport.send(
                TransportRequest(
                    method: "POST", url: "\(base)/masterpass/\(call)",
                    headers: [("Content-Type", "application/json"), ("Accept", "application/json")],
                    body: JSON.object(request).encoded(), timeout: Self.timeout))
        } catch {
            // The reason is dropped, because it could contain the request.
            throw .connection
        }
        return try WalletAnswer(status: response.status, response.body)
    }
}

extension SecretText {
    /// The text as JSON for the request's body. The copy is released with the request and is not overwritten.
    fileprivate var json: JSON { .string(withExposed { String(decoding: $0, as: UTF8.self) }) }
}
