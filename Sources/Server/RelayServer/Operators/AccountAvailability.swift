public import FoundationEssentials
import Observability
import PayrelayPrimitives

/// The state of the gateway for one of the merchant's accounts, for operators: in `/ready`, in the metrics and in
/// the console. No decision depends on it.
public struct AccountAvailability: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// The account was not queried yet, or not since the circuit breaker closed.
        case notAsked = "not_asked"
        /// The gateway's last answer was verified.
        case answering
        /// The gateway answers, but rejects the account or the relay's signature.
        case refusing
        /// The gateway's last answer could not be verified. The gateway may still charge, but its answers are not
        /// trusted.
        case unproven
        /// The gateway could not be reached, or did not answer, the last time.
        case notAnswering = "not_answering"
        /// The gateway did not answer several times in a row. Nothing is sent to it.
        case circuitBreakerOpen = "circuit_breaker_open"

        /// Whether the state calls for an operator's action.
        public var isBad: Bool {
            switch self {
            case .notAsked, .answering: false
            case .refusing, .unproven, .notAnswering, .circuitBreakerOpen: true
            }
        }
    }

    /// The gateway's title.
    public let gateway: String
    /// The name that the merchant gave the account.
    public let account: String
    public let state: State
    /// When the last verified answer came; `nil` if none has come since the process started.
    public let lastAnswer: Date?
    /// Why nothing is charged to the account, for operators; `nil` if the account can be charged. See
    /// ``PaymentRelay/UnverifiedAccount``.
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

/// The availability of a gateway.
public struct GatewayAvailability: Sendable {
    /// The gateway's member in `/ready`, and a part of its metrics' names.
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
                "1 for the state of each account, 0 for the others: how it answered the last query.",
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
