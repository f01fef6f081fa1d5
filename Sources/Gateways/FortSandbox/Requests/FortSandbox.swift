public import FortAPI
public import FoundationEssentials
public import PayrelayPrimitives
public import SandboxParts
import Synchronization
public import TokenMint

/// A stand-in for FORT: it checks what FORT checks, answers with FORT's codes, and signs its answers.
///
/// This room exists because FORT cannot be tried without an account, a phone and a whitelisted address. It knows its
/// accounts and one merchant certificate, and keeps its books in memory (``SandboxBooks``). It recomputes the signature,
/// compares the credentials, holds every parameter against FORT's limits, and decrypts the token to see what amount and
/// currency the customer agreed to. It does not verify the token's signature: the relay does. See
/// ``SandboxOutcome`` for what it does on request.
///
/// Requests are read, decrypted and answered in parallel; only ``SandboxBooks`` is accessed by one at a time.
public final class FortSandbox: Sendable {
    public let accounts: FortAccounts
    let books: SandboxBooks
    let pki: SandboxPKI
    let now: @Sendable () -> Date
    let sender: FeedbackSender
    let tokenLifetime: Double
    private let observe: @Sendable (SandboxExchange) -> Void
    private let schedule = Mutex(FaultSchedule([]))

    /// - Parameters:
    ///   - orderLimit: how many orders the books hold; see ``SandboxBooks``.
    ///   - tokenLifetime: for how many seconds after it was signed a token is good.
    ///   - feedbackInterval: between two tries to deliver a feedback message.
    ///   - observe: called with each request to the payment API and its reply, before the reply is sent; must not block.
    public init(
        accounts: FortAccounts, pki: SandboxPKI = .published, orderLimit: Int = 1_000_000,
        tokenLifetime: Double = 300, feedbackInterval: Duration = .seconds(10),
        now: @escaping @Sendable () -> Date = { Date() },
        observe: @escaping @Sendable (SandboxExchange) -> Void = { _ in }
    ) {
        self.accounts = accounts
        self.pki = pki
        self.now = now
        self.tokenLifetime = tokenLifetime
        self.observe = observe
        books = SandboxBooks(limit: orderLimit)
        sender = FeedbackSender(interval: feedbackInterval)
    }

    /// The orders in the books, the oldest first.
    public var orders: [SandboxOrder] {
        get async {
            let moment = now()
            return await books.orders(in: books.numbers).map { $0.settled(at: moment) }
        }
    }

    /// Ends an agreement on recurring payments: from now on payments by its card are declined.
    ///
    /// - Returns: false where there is no such agreement.
    public func end(agreement identifier: String) async -> Bool { await books.end(agreement: identifier) }

    /// Faults that apply from now on. Setting it restarts its counts.
    public var faults: FaultSchedule {
        get { schedule.withLock { $0 } }
        set { schedule.withLock { $0 = newValue } }
    }

    /// Where transaction feedback goes; nil where none is sent. ``runBeside()`` sends it.
    public var feedback: FeedbackSettings? {
        get { sender.settings }
        set { sender.settings = newValue }
    }

    /// Answers one request as FORT would, unless a fault strikes.
    public func reply(to body: [UInt8]) async -> Reply {
        let reply = await carryOut(body)
        observe(SandboxExchange(request: body, reply: reply))
        return reply
    }

    private func carryOut(_ body: [UInt8]) async -> Reply {
        let parameters = (try? JSON(parsing: body))?.objectValue
        let rule = rule(for: parameters?.fortCommand)
        if let reply = rule?.fault.replyToDropped { return reply }
        guard let answer = await answer(to: parameters) else { return .silence }
        return reply(answer, struckBy: rule)
    }

    /// Returns the fault rule that applies to the next request for a command; nil if none does.
    func rule(for command: FortCommand?) -> FaultRule? {
        schedule.withLock { $0.next(for: command) }
    }

    /// Carries a request out.
    ///
    /// - Parameter parameters: nil where the request is no object.
    /// - Returns: the answer, not yet signed, if any.
    private func answer(to parameters: JSONObject?) async -> JSONObject? {
        guard let parameters else { return FailureResponse(status: "00", message: "073").response(to: [:]) }
        do throws(FailureResponse) {
            let account = try checkAuthenticity(of: parameters)
            guard let command = parameters.fortCommand else { throw FailureResponse(status: "00", message: "004") }
            switch command {
            case .authorization, .purchase: return try await charge(parameters, command, for: account)
            case .capture, .voidAuthorization, .refund: return try await maintain(parameters, command)
            case .checkStatus: return try await status(parameters)
            case .sdkToken: return try await sdkToken(parameters)
            }
        } catch {
            return error.response(to: parameters)
        }
    }

    /// The parameters first, then the reference, then the token, then the bank.
    ///
    /// Only charges that pass the checks are remembered: a request that fails them leaves its reference free. What FORT itself
    /// does with the reference of an order whose token it cannot use is not documented.
    private func charge(
        _ parameters: JSONObject, _ command: FortCommand, for account: FortAccount
    ) async throws(FailureResponse) -> JSONObject? {
        var charge =
            SandboxCharge.isRecurring(parameters)
            ? try SandboxCharge(recurring: parameters, command: command, for: account)
            : try SandboxCharge(parameters, command: command, for: account)
        if charge.tokenName != nil, await savedCard(in: parameters, of: account) == nil {
            throw FailureResponse(status: command.failureStatus, message: "044")
        }
        guard await !books.noteRepetition(of: charge.merchantReference) else {
            throw FailureResponse(status: command.failureStatus, message: "007")
        }
        let moment = now()
        if charge.storedCard == nil {
            try charge.holdAgainstToken(of: pki, signedSince: moment.addingTimeInterval(-tokenLifetime))
        }
        // Another request of this reference, or with this token, may have come first while the token was decrypted.
        let orders = try await books.enter(charge, at: moment)
        for order in orders { sender.send(order.feedback(on: parameters)) { signed($0) } }
        guard let order = orders.first else { return nil }
        return order.outcome == .silent ? nil : order.response(to: parameters, order.outcome)
    }

    private func maintain(
        _ parameters: JSONObject, _ command: FortCommand
    ) async throws(FailureResponse) -> JSONObject? {
        let request = try SandboxMaintenance(parameters, command: command)
        let order = try await books.maintain(request, at: now())
        sender.send(order.feedback(on: request, parameters)) { signed($0) }
        return request.outcome == .silent ? nil : order.response(to: request, parameters, request.outcome)
    }

    private func status(_ parameters: JSONObject) async throws(FailureResponse) -> JSONObject {
        let query = try SandboxQuery(parameters)
        guard let order = await books.order(query.merchantReference, fortID: query.fortID),
            order.merchantIdentifier == query.merchantIdentifier
        else { throw FailureResponse(status: "12", message: "036") }
        let moment = now()
        return order.settled(at: moment).statusResponse(to: parameters, at: moment)
    }
}
