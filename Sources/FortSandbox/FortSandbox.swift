public import FortAPI
public import FoundationEssentials
import OrderedJSON
public import TokenMint

/// A FORT to run against: it checks what FORT checks, answers with FORT's codes, and signs what it answers.
///
/// This room exists because nobody can try FORT without an account, a phone and a whitelisted address. It knows one
/// account and one merchant certificate, and keeps its books in memory (``SandboxBooks``). It recomputes the signature,
/// compares the credentials, holds every parameter against FORT's limits, and decrypts the token to see what amount and
/// currency the customer agreed to. Who signed the token it does not ask: that is the relay's business. See
/// ``SandboxOutcome`` for what it does on request.
///
/// Requests are read, decrypted and answered in parallel; only the books are taken one at a time.
public final class FortSandbox: Sendable {
    /// What the sandbox does with a request.
    public enum Reply: Sendable, Equatable {
        /// A signed answer, as JSON bytes.
        case answer([UInt8])
        /// It never answers.
        case silence
    }

    public let account: FortAccount
    let books: SandboxBooks
    private let pki: SandboxPKI
    let now: @Sendable () -> Date

    /// - Parameter orderLimit: how many orders the books hold; see ``SandboxBooks``.
    public init(
        account: FortAccount, pki: SandboxPKI = .published, orderLimit: Int = 1_000_000,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.account = account
        self.pki = pki
        self.now = now
        books = SandboxBooks(limit: orderLimit)
    }

    /// The orders in the books, the oldest first.
    public var orders: [SandboxOrder] {
        get async {
            let moment = now()
            return await books.orders(in: books.numbers).map { $0.settled(at: moment) }
        }
    }

    /// The last request as it arrived, for whoever wants to look at it.
    public var lastRequest: [UInt8] {
        get async { await books.lastRequest }
    }

    /// Takes one request as FORT would.
    public func reply(to body: [UInt8]) async -> Reply {
        await books.keep(lastRequest: body)
        guard let parameters = (try? JSON(parsing: body))?.objectValue else {
            return .answer(signed(SandboxRefusal(status: "00", message: "073").response(to: [:])))
        }
        do throws(SandboxRefusal) {
            try checkAuthenticity(of: parameters)
            let command = try command(of: parameters)
            switch command {
            case .authorization, .purchase: return try await charge(parameters, command)
            case .capture, .voidAuthorization, .refund: return try await maintain(parameters, command)
            case .checkStatus: return .answer(signed(try await status(parameters)))
            case .sdkToken: return .answer(signed(try sdkToken(parameters)))
            }
        } catch {
            return .answer(signed(error.response(to: parameters)))
        }
    }

    /// The parameters first, then the reference, then the token, then the bank.
    ///
    /// Only what reached the bank is in the books: a request that was refused leaves its reference free. What FORT itself
    /// does with the reference of an order whose token it cannot use is not documented.
    private func charge(_ parameters: JSONObject, _ command: FortCommand) async throws(SandboxRefusal) -> Reply {
        let charge = try SandboxCharge(parameters, command: command)
        let duplicate = SandboxRefusal(status: charge.command.failureStatus, message: "007")
        guard await !books.noteRepetition(of: charge.merchantReference) else { throw duplicate }
        try charge.holdAgainstToken(of: pki)
        // Another request of this reference may have come first while the token was decrypted.
        guard let order = await books.enter(charge, at: now()) else { throw duplicate }
        return order.outcome == .silent ? .silence : .answer(signed(order.response(to: parameters, order.outcome)))
    }

    private func maintain(
        _ parameters: JSONObject, _ command: FortCommand
    ) async throws(SandboxRefusal) -> Reply {
        let request = try SandboxMaintenance(parameters, command: command)
        let order = try await books.maintain(request, at: now())
        return request.outcome == .silent
            ? .silence : .answer(signed(order.response(to: request, parameters, request.outcome)))
    }

    /// A token for FORT's mobile SDK: nothing here pays with it.
    private func sdkToken(_ parameters: JSONObject) throws(SandboxRefusal) -> JSONObject {
        _ = try SandboxParameters(parameters, of: .sdkToken, mandatory: ["device_id"], optional: [])
        var response = parameters.echoed()
        response["sdk_token"] = .string(UUID().uuidString.filter { $0 != "-" })
        let success = FortCommand.sdkToken.successCode
        return response.adding(status: success.status, message: success.message)
    }

    private func status(_ parameters: JSONObject) async throws(SandboxRefusal) -> JSONObject {
        let query = try SandboxQuery(parameters)
        guard let order = await books.order(query.merchantReference), query.fortID ?? order.fortID == order.fortID
        else { throw SandboxRefusal(status: "12", message: "036") }
        let moment = now()
        return order.settled(at: moment).statusResponse(to: parameters, at: moment)
    }

    private func signed(_ response: JSONObject) -> [UInt8] {
        var response = response
        let signature = FortSignature(of: response, phrase: account.responsePhrase, type: account.signatureType)
        response["signature"] = .string(signature.hexadecimal)
        return JSON.object(response).encoded()
    }
}
