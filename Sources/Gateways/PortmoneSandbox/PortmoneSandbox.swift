public import FoundationEssentials
import PayrelayPrimitives
public import SandboxParts
import Synchronization
public import TokenMint

/// A stand-in for the gateway Portmone: it takes what published clients send, and answers in the published shapes.
///
/// It has not been compared with the real Portmone. It compares the credentials, holds every member against what is published,
/// decrypts Apple's token to see what amount and currency the customer agreed to, and keeps its bills in memory. It does not verify
/// the token's signature. See ``PortmoneOutcome`` for what it does on request.
///
/// Requests are read, decrypted and answered in parallel; only ``BillBooks`` is accessed by one at a time.
public final class PortmoneSandbox: Sendable {
    public let accounts: [PortmoneSandboxAccount]
    let books: BillBooks
    let now: @Sendable () -> Date
    let sender: NotificationSender
    /// How many requests to the gateway are answered at once.
    let requestLimit: Int
    let underWay = Mutex(0)
    /// How long the body of a request may take to come.
    let bodyTimeout: Duration
    let pki: SandboxPKI
    let tokenLifetime: Double
    private let observe: @Sendable (SandboxExchange) -> Void
    private let initialCharges: ChargeSettings
    private let state: Mutex<State>

    private struct State {
        var charges: ChargeSettings
        var faults = PortmoneFaultSchedule([])
        /// Requests that were answered with an error and are carried out later: at most ``laterLimit``.
        var later: [(due: Date, request: GatewayRequest)] = []
    }

    private static let laterLimit = 1_000

    /// - Parameters:
    ///   - charges: how charges are taken until that is changed.
    ///   - billLimit: how many bills the books hold.
    ///   - requestLimit: how many requests to the gateway are answered at once; further ones get the status 503.
    ///   - bodyTimeout: how long the body of a request may take to come.
    ///   - tokenLifetime: for how many seconds after it was signed a token is good.
    ///   - notificationInterval: between two tries to deliver a notification.
    ///   - observe: called with each request to the gateway and its reply, before the reply is sent; must not block.
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

    /// How charges are taken from now on.
    public var charges: ChargeSettings {
        get { state.withLock { $0.charges } }
        set { state.withLock { $0.charges = newValue } }
    }

    /// Takes charges as from the beginning.
    func resetCharges() { charges = initialCharges }

    /// Faults that apply from now on. Setting it restarts its counts.
    public var faults: PortmoneFaultSchedule {
        get { state.withLock { $0.faults } }
        set { state.withLock { $0.faults = newValue } }
    }

    /// Where notifications go; nil where none is sent. ``runBeside()`` sends them.
    public var notifications: NotificationSettings? {
        get { sender.settings }
        set { sender.settings = newValue }
    }

    /// Answers one request as the gateway would, unless a fault strikes.
    public func reply(to body: [UInt8], at path: GatewayPath) async -> SandboxReply {
        await carryOutDue()
        let reply = await carryOut(body, at: path)
        observe(SandboxExchange(request: body, reply: reply))
        return reply
    }

    /// Has a request carried out at a later moment.
    func carryOutLater(_ request: GatewayRequest, at due: Date) {
        state.withLock { state in
            guard state.later.count < Self.laterLimit else { return }
            state.later.append((due, request))
        }
    }

    /// Removes and returns the requests that are due, the longest due first.
    func takeDue(at moment: Date) -> [GatewayRequest] {
        state.withLock { state in
            guard !state.later.isEmpty else { return [] }
            let due = state.later.filter { $0.due <= moment }.sorted { $0.due < $1.due }
            state.later.removeAll { $0.due <= moment }
            return due.map(\.request)
        }
    }

    /// Returns the fault rule that applies to the next request for a method; nil if none does.
    func rule(for method: GatewayMethod?) -> PortmoneFaultRule? {
        state.withLock { $0.faults.next(for: method) }
    }
}
