import HTTPListener
import HTTPTypes
import Observability
import ApplePayToken
import PaymentRelay
import PayrelayPrimitives

/// A request by its route, as OpenTelemetry names its attributes.
struct RequestLabels: MetricLabels {
    static let names = ["http_request_method", "http_response_status_code", "http_route", "url_scheme"]

    let method: HTTPRequest.Method
    let status: Int
    /// A name from the route table, or ``noRoute``: never the path as it was sent.
    let route: String
    let scheme: String

    /// The label of a request that matches no route, as the router names it.
    static let noRoute = "NotFound"

    var values: [String] { [method.rawValue, "\(status)", route, scheme] }

    init(method: HTTPRequest.Method, status: Int, route: String?, scheme: String) {
        self.method = Self.methods.contains(method) ? method : Self.otherMethod
        self.status = status
        self.route = route ?? Self.noRoute
        self.scheme = scheme
    }

    /// Those that OpenTelemetry knows; all others are `_OTHER`, or a client could make up any number.
    private static let methods: Set<HTTPRequest.Method> = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .trace,
    ]
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    private static let otherMethod = HTTPRequest.Method("_OTHER")!
}

struct OutcomeLabels: MetricLabels {
    static let names = ["outcome"]
    let outcome: String
    var values: [String] { [outcome] }
}

struct StepLabels: MetricLabels {
    static let names = ["step"]
    let step: StepTimes.Step
    var values: [String] { [step.rawValue] }
}

struct CheckLabels: MetricLabels {
    static let names = ["check"]
    let check: String
    var values: [String] { [check] }
}

struct OperationLabels: MetricLabels {
    static let names = ["command", "outcome"]
    let command: OperationCommand
    let outcome: String
    var values: [String] { [command.rawValue, outcome] }
}

struct ResultLabels: MetricLabels {
    static let names = ["result"]
    let result: String
    var values: [String] { [result] }
}

struct ImplausibilityLabels: MetricLabels {
    static let names = ["kind"]
    let kind: Implausibility.Kind
    var values: [String] { [kind.rawValue] }
}

struct ContradictionLabels: MetricLabels {
    static let names = ["kind"]
    let kind: Contradiction
    var values: [String] { [kind.rawValue] }
}

struct KindLabels: MetricLabels {
    static let names = ["kind"]
    let kind: ListenerCapacity.Shed
    var values: [String] { [kind.rawValue] }
}

struct JournalOperationLabels: MetricLabels {
    static let names = ["operation"]
    let operation: JournalOperation
    var values: [String] { [operation.rawValue] }
}

struct GapLabels: MetricLabels {
    static let names = ["gap"]
    let gap: DurabilityGap
    var values: [String] { [gap.rawValue] }
}

struct CertificateLabels: MetricLabels {
    static let names = ["certificate"]
    let certificate: String
    var values: [String] { [certificate] }
}

/// Of the operator's certificates alone: a token's `publicKeyHash` is none.
struct CertificateEndLabels: MetricLabels {
    static let names = ["kind", "public_key_hash"]
    let kind: CertificateEnd.Kind
    let publicKeyHash: Base64Text
    var values: [String] { [kind.rawValue, publicKeyHash.text] }
}

struct PartLabels: MetricLabels {
    static let names = ["part"]
    let part: ReloadStatus.Part
    var values: [String] { [part.rawValue] }
}

struct TokenVersionLabels: MetricLabels {
    static let names = ["version"]
    let version: PaymentToken.Version
    var values: [String] { [version.rawValue] }
}

struct BuildLabels: MetricLabels {
    static let names = ["build", "version"]
    let build: BuildInfo
    var values: [String] { [build.configuration, build.version] }
}
