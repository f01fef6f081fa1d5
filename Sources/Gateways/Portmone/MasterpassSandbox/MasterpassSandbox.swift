public import FoundationEssentials
import PayrelayPrimitives

/// A simulator of a Masterpass wallet with its own protocol, for the library `PayrelayPortmoneSDK`.
///
/// It is not Portmone's server, and does not use Portmone's protocol, which is not public. With it an app that is
/// written for Portmone's "Masterpass iOS SDK" can be developed and tested without a contract. It keeps
/// everything in memory, in tables of limited size. Of a card's number it keeps only the mask.
public actor MasterpassSandbox {
    /// The maximum sizes of the tables. When a table is full, the oldest entry is forgotten. Only cards beyond
    /// the limit are rejected instead.
    public struct Limits: Sendable {
        var wallets = 10_000
        public var cardsOfAWallet = 20
        public var sessions = 10_000
        public var payments = 100_000

        public init() {}
    }

    let limits: Limits
    let now: @Sendable () -> Date
    var wallets: BoundedTable<PhoneWallet>
    var sessions: BoundedTable<SandboxSession>
    var payments: BoundedTable<SandboxPayment>
    /// The payments by the name of their page and by their bill's number, and the paid payments by the app's own
    /// number.
    var pages: BoundedTable<String>
    var receipts: BoundedTable<String>
    var paidBills: BoundedTable<String>

    /// - Parameter now: the clock for bills and for the expiry of cards.
    public init(limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }) {
        self.limits = limits
        self.now = now
        wallets = BoundedTable(limit: limits.wallets)
        sessions = BoundedTable(limit: limits.sessions)
        payments = BoundedTable(limit: limits.payments)
        pages = BoundedTable(limit: limits.payments)
        receipts = BoundedTable(limit: limits.payments)
        paidBills = BoundedTable(limit: limits.payments)
    }

    /// Answers a call with JSON that contains its `result`, or an `error` with a `code`.
    public func answer(_ call: SandboxCall, _ body: [UInt8]) -> [UInt8] {
        do throws(SandboxError) {
            let request = try SandboxRequest(call, body)
            let result: JSONObject = call == .authorize ? try authorize(request) : try carryOut(call, request)
            return JSON.object(["result": .object(result)]).encoded()
        } catch {
            return error.json.encoded()
        }
    }

    private func carryOut(_ call: SandboxCall, _ request: SandboxRequest) throws(SandboxError) -> JSONObject {
        let token = request.text("session")
        guard let session = sessions[token], session.isAuthorized || call == .validateCode else {
            throw SandboxError(2000)
        }
        if let fault = session.fault, fault.call == call { throw SandboxError(fault.code) }
        switch call {
        case .authorize: throw SandboxError(2100)
        case .validateCode: return try validate(request.text("code"), token, session)
        case .getMasterpassCards: return ["cards": .array((wallets[session.phone]?.cards ?? []).map(\.json))]
        case .addMasterpassCard: return try addCard(request, token, session)
        case .deleteMasterpassCard: return try deleteCard(named: request.text("cardName"), session)
        case .getPayees: return ["payees": .array(SandboxPayee.all.map(\.json))]
        case .getCommission: return try quote(request, token, session)
        case .proceedPayment: return try proceed(request, token)
        case .startVerify2dCard: return try startVerification(request, token)
        case .finishVerify2dCard: return try finishVerification(request, token)
        case .getVerification3d: return try verification3d(request, token)
        }
    }
}
