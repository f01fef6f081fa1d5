public import FortAPI
public import FoundationEssentials
import OrderedJSON
public import TokenMint

/// A FORT to run against: it checks what FORT checks, answers with FORT's codes, and signs what it answers.
///
/// This room exists because nobody can try FORT without an account, a phone and a whitelisted address. It knows one
/// account and one merchant certificate, keeps its books in memory, and believes nothing: signature, credentials,
/// parameters, and the amount that the token was made for, which it decrypts. See ``SandboxOutcome`` for what it does on
/// request.
public actor FortSandbox {
    /// What the sandbox does with a request.
    public enum Reply: Sendable, Equatable {
        /// A signed answer, as JSON bytes.
        case answer([UInt8])
        /// It never answers.
        case silence
    }

    public nonisolated let account: FortAccount
    nonisolated let pki: SandboxPKI
    nonisolated let now: @Sendable () -> Date
    private var books: [String: SandboxOrder] = [:]
    /// The last request as it arrived, for whoever wants to look at it.
    public private(set) var lastRequest: [UInt8] = []

    public init(
        account: FortAccount, pki: SandboxPKI = .published, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.account = account
        self.pki = pki
        self.now = now
    }

    /// Every order that was tried, by its reference.
    public var orders: [SandboxOrder] {
        books.values.sorted { $0.fortID < $1.fortID }
    }

    /// Takes one request as FORT would.
    public func reply(to body: [UInt8]) -> Reply {
        lastRequest = body
        let parameters: JSONObject
        do throws(SandboxRefusal) {
            parameters = try readAuthentic(body)
        } catch {
            return .answer(signed(error.response(to: [:])))
        }
        do throws(SandboxRefusal) {
            switch try command(of: parameters) {
            case .authorization, .purchase: return try charge(parameters)
            case .checkStatus: return .answer(signed(try status(parameters)))
            }
        } catch {
            return .answer(signed(error.response(to: parameters)))
        }
    }

    /// FORT's order: the same reference first, then the token, then the bank.
    private func charge(_ parameters: JSONObject) throws(SandboxRefusal) -> Reply {
        let request = try SandboxCharge(parameters)
        guard books[request.merchantReference] == nil else {
            throw SandboxRefusal(status: request.command.failureStatus, message: "007")
        }
        try request.holdAgainstToken(of: pki)
        let outcome = SandboxOutcome(ofAmount: request.amount)
        let order = SandboxOrder(
            request, outcome: outcome, fortID: String(149_295_435_400_084_008 + books.count), at: now())
        books[request.merchantReference] = order
        guard outcome != .silent else { return .silence }
        return .answer(signed(order.response(to: parameters)))
    }

    private func status(_ parameters: JSONObject) throws(SandboxRefusal) -> JSONObject {
        guard let reference = parameters["merchant_reference"]?.stringValue else {
            throw SandboxRefusal(status: "11", message: "001")
        }
        guard let order = books[reference] else { throw SandboxRefusal(status: "12", message: "036") }
        return order.statusResponse(to: parameters, at: now())
    }

    private nonisolated func signed(_ response: JSONObject) -> [UInt8] {
        var response = response
        let signature = FortSignature(of: response, phrase: account.responsePhrase, type: account.signatureType)
        response["signature"] = .string(signature.hexadecimal)
        return JSON.object(response).encoded()
    }
}
