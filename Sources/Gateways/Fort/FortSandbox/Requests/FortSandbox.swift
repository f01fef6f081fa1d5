public import FortAPI
public import FoundationEssentials
public import PayrelayPrimitives
public import SandboxParts
import Synchronization
public import TokenMint

/// A substitute for FORT: it makes FORT's checks, answers with FORT's codes, and signs its answers.
///
/// The sandbox exists because FORT cannot be used without an account, a phone and an allow-listed address. It has
/// its own accounts and one merchant certificate, and keeps its books in memory (``SandboxBooks``).
///
/// For each request it verifies the signature and the credentials, checks every parameter against FORT's limits,
/// and decrypts the token to see the amount and currency that the customer agreed to. It does not verify the
/// token's signature, because the relay does. ``SandboxOutcome`` lists the outcomes that a request can select.
///
/// Requests are parsed, decrypted and answered in parallel. Only the access to ``SandboxBooks`` is serial.
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
    ///   - orderLimit: the maximum number of orders in the books; see ``SandboxBooks``.
    ///   - tokenLifetime: the number of seconds after its signing during which a token is accepted.
    ///   - feedbackInterval: the time between two attempts to deliver a feedback message.
    ///   - observe: called with each request to the payment API and its reply, before the reply is sent; must not
    ///     block.
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

    /// Ends an agreement on recurring payments. From now on payments with its card are declined.
    ///
    /// - Returns: `false` if there is no such agreement.
    public func end(agreement identifier: String) async -> Bool { await books.end(agreement: identifier) }

    /// The faults that apply from now on. Setting them restarts their counts.
    public var faults: FaultSchedule {
        get { schedule.withLock { $0 } }
        set { schedule.withLock { $0 = newValue } }
    }

    /// The settings of transaction feedback; `nil` if no feedback is sent. ``runBeside()`` sends it.
    public var feedback: FeedbackSettings? {
        get { sender.settings }
        set { sender.settings = newValue }
    }

    /// Answers a request as FORT would, unless a fault applies.
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

    /// Returns the fault rule that applies to the next request for a command; `nil` if no rule applies.
    func rule(for command: FortCommand?) -> FaultRule? {
        schedule.withLock { $0.next(for: command) }
    }

    /// Carries out a request.
    ///
    /// - Parameter parameters: the request's parameters; `nil` if the request is not a JSON object.
    /// - Returns: the unsigned answer; `nil` if no answer is sent.
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

    /// Carries out a charge. It checks first the parameters, then the reference, then the token, then the bank's
    /// outcome.
    ///
    /// Only charges that pass the checks are remembered: a request that fails them leaves its reference free. It
    /// is not documented what FORT does with the reference of an order whose token it cannot use.
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
        // While the token was decrypted, another request with this reference or token may have been recorded.
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
