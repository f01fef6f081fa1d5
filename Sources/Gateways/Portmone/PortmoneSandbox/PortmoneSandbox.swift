public import FoundationEssentials
import PayrelayPrimitives
public import SandboxParts
import Synchronization
public import TokenMint

/// A substitute for the gateway Portmone: it accepts the requests that published clients send, and answers in the
/// published formats.
///
/// The sandbox has not been compared with the real Portmone. For each request it verifies the credentials, checks
/// every member against the published ones, and decrypts Apple's token to see the amount and currency that the
/// customer agreed to. It does not verify the token's signature. It keeps its bills in memory.
/// ``PortmoneOutcome`` lists the outcomes that a request can select.
///
/// Requests are parsed, decrypted and answered in parallel. Only the access to ``BillBooks`` is serial.
public final class PortmoneSandbox: Sendable {
    public let accounts: [PortmoneSandboxAccount]
    let books: BillBooks
    let now: @Sendable () -> Date
    let sender: NotificationSender
    /// The maximum number of requests to the gateway that are answered at the same time.
    let requestLimit: Int
    let underWay = Mutex(0)
    /// The time limit for the arrival of a request's body.
    let bodyTimeout: Duration
    let pki: SandboxPKI
    let tokenLifetime: Double
    private let observe: @Sendable (SandboxExchange) -> Void
    private let initialCharges: ChargeSettings
    private let state: Mutex<State>

    private struct State {
        var charges: ChargeSettings
        var faults = PortmoneFaultSchedule([])
        /// The requests that were answered with an error and are carried out later: at most ``laterLimit``.
        var later: [(due: Date, request: GatewayRequest)] = []
    }

    private static let laterLimit = 1_000

    /// - Parameters:
    ///   - charges: how charges are accepted until a test changes it.
    ///   - billLimit: the maximum number of bills in the books.
    ///   - requestLimit: the maximum number of requests to the gateway that are answered at the same time.
    ///     Further requests get the status 503.
    ///   - bodyTimeout: the time limit for the arrival of a request's body.
    ///   - tokenLifetime: the number of seconds after its signing during which a token is accepted.
    ///   - notificationInterval: the time between two attempts to deliver a notification.
    ///   - observe: called with each request to the gateway and its reply, before the reply is sent; must not
    ///     block.
    public init(
        accounts: [PortmoneSandboxAccount], charges: ChargeSettings = ChargeSettings(), pki: SandboxPKI = .published,
        billLimit: Int = 1_000_000, requestLimit: Int = 4_096, bodyTimeout: Duration = .seconds(10),
        tokenLifetime: Double = 300,
        notificationInterval: Duration = .seconds(10), now: @escaping @Sendable () -> Date = { Date() },
        observe: @escaping @Sendable (SandboxExchange) -> Void = { _ in }
    ) {
        self.accounts = accounts
        self.pki = pki
        self.now = now
        self.requestLimit = requestLimit
        self.bodyTimeout = bodyTimeout
        self.tokenLifetime = tokenLifetime
        self.observe = observe
        initialCharges = charges
        state = Mutex(State(charges: charges))
        books = BillBooks(limit: billLimit)
        sender = NotificationSender(interval: notificationInterval)
    }

    /// The bills in the books, the oldest first.
    public var bills: [PortmoneBill] {
        get async {
            await carryOutDue()
            return await books.bills(in: books.numbers).map(\.bill)
        }
    }

    /// The rules by which charges are accepted from now on.
    public var charges: ChargeSettings {
        get { state.withLock { $0.charges } }
        set { state.withLock { $0.charges = newValue } }
    }

    /// Restores the initial settings of charges.
    func resetCharges() { charges = initialCharges }

    /// The faults that apply from now on. Setting them restarts their counts.
    public var faults: PortmoneFaultSchedule {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// The settings of notifications; `nil` if no notifications are sent. ``runBeside()`` sends them.
    public var notifications: NotificationSettings? {
        get { sender.settings }
        set { sender.settings = newValue }
    }

    /// Answers a request as the gateway would, unless a fault applies.
    public func reply(to body: [UInt8], at path: GatewayPath) async -> SandboxReply {
        await carryOutDue()
        let reply = await carryOut(body, at: path)
        observe(SandboxExchange(request: body, reply: reply))
        return reply
    }

    /// Schedules a request to be carried out later. If too many requests are scheduled, it is dropped.
    func carryOutLater(_ request: GatewayRequest, at due: Date) {
        state.withLock { state in
            guard state.later.count < Self.laterLimit else { return }
            state.later.append((due, request))
        }
    }

    /// Removes and returns the requests that are due, the earliest due first.
    func takeDue(at moment: Date) -> [GatewayRequest] {
        state.withLock { state in
            guard !state.later.isEmpty else { return [] }
            let due = state.later.filter { $0.due <= moment }.sorted { $0.due < $1.due }
            state.later.removeAll { $0.due <= moment }
            return due.map(\.request)
        }
    }

    /// Returns the fault rule that applies to the next request for a method; `nil` if no rule applies.
    func rule(for method: GatewayMethod?) -> PortmoneFaultRule? {
        state.withLock { $0.faults.next(for: method) }
    }
}
