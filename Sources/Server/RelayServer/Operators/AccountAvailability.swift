public import FoundationEssentials
import Observability
import PayrelayPrimitives

/// How the gateway answers for one of the merchant's accounts: for operators, in `/ready`, the metrics and the console alike. It
/// decides nothing.
public struct AccountAvailability: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// It has not been asked yet, or not since the circuit breaker closed.
        case notAsked = "not_asked"
        /// Its last answer was verified.
        case answering
        /// It answers, and refuses the account or the relay's signature.
        case refusing
        /// Its last answer was not verified: it may charge, and nothing that it says is believed.
        case unproven
        /// It could not be reached, or did not answer, the last time.
        case notAnswering = "not_answering"
        /// It has not answered several times in a row: nothing is sent.
        case circuitBreakerOpen = "circuit_breaker_open"

        /// Whether operators have something to do.
        public var isBad: Bool {
            switch self {
            case .notAsked, .answering: false
            case .refusing, .unproven, .notAnswering, .circuitBreakerOpen: true
            }
        }
    }

    /// The gateway's title.
    public let gateway: String
    /// The merchant's own name for it.
    public let account: String
    public let state: State
    /// When its last verified answer came; nil where none has come since the process started.
    public let lastAnswer: Date?
    /// Why nothing is charged to the account, for operators; `nil` if it can be charged. See ``PaymentRelay/UnverifiedAccount``.
    public let whyNotCharged: String?

    public init(
        gateway: String, account: String, state: State, lastAnswer: Date? = nil, whyNotCharged: String? = nil
    ) {
        self.gateway = gateway
        self.account = account
        self.state = state
        self.lastAnswer = lastAnswer
        self.whyNotCharged = whyNotCharged
    }

    var json: JSON {
        var json: JSONObject = ["account": .string(account), "state": .string(state.rawValue)]
        json["last_answer_at"] = lastAnswer.map { .string($0.rfc3339InMilliseconds) }
        json["chargeable"] = .bool(whyNotCharged == nil)
        json["reason"] = whyNotCharged.map { .string("\($0).") }
        return .object(json)
    }
}

/// How a gateway answers.
public struct GatewayAvailability: Sendable {
    /// Its member in `/ready`, and part of its metrics' names.
    let name: String
    let accounts: [AccountAvailability]

    public init(name: String, accounts: [AccountAvailability]) {
        self.name = name
        self.accounts = accounts
    }

    var families: [any MetricFamily] {
        [
            ScrapedFamily(
                "payrelay_\(name)_account_state", .gauge,
                "1 for the state of each account, 0 for the others: how it answered when it was last asked.",
                accounts.flatMap { account in
                    AccountAvailability.State.allCases.map {
                        (AccountStateLabels(account: account.account, state: $0), account.state == $0 ? 1 : 0)
                    }
                }),
            ScrapedFamily(
                "payrelay_\(name)_account_verified", .gauge,
                "1 for an account that can be charged; 0 until an answer for it was verified since the process started.",
                accounts.map { (TextLabel<AccountLabel>($0.account), $0.whyNotCharged == nil ? 1 : 0) }),
            ScrapedFamily(
                "payrelay_\(name)_account_last_answer_timestamp_seconds", .gauge,
                "When the last verified answer for each account came; absent until there was one.",
                accounts.compactMap { account in
                    account.lastAnswer.map { (TextLabel<AccountLabel>(account.account), $0.timeIntervalSince1970) }
                }),
        ]
    }
}

struct AccountStateLabels: MetricLabels {
    static let names = ["account", "state"]
    let account: String
    let state: AccountAvailability.State
    var values: [String] { [account, state.rawValue] }
}
