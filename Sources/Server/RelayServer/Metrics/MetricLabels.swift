public import ApplePayToken
public import HTTPListener
import HTTPTypes
public import Observability
public import PaymentRelay
import PayrelayPrimitives

/// The labels of a request, named like OpenTelemetry's attributes.
struct RequestLabels: MetricLabels {
    static let names = ["http_request_method", "http_response_status_code", "http_route", "url_scheme"]

    let method: HTTPRequest.Method
    let status: Int
    /// A name from the route table, or ``noRoute``; never the path as it was sent.
    let route: String
    let scheme: String

    /// The label of a request that matches no route.
    static let noRoute = "NotFound"

    var values: [String] { [method.rawValue, "\(status)", route, scheme] }

    init(method: HTTPRequest.Method, status: Int, route: String?, scheme: String) {
        self.method = Self.methods.contains(method) ? method : Self.otherMethod
        self.status = status
        self.route = route ?? Self.noRoute
        self.scheme = scheme
    }

    /// The methods that OpenTelemetry knows. All others become `_OTHER`; otherwise a client could create any
    /// number of series.
    private static let methods: Set<HTTPRequest.Method> = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .trace,
    ]
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    private static let otherMethod = HTTPRequest.Method("_OTHER")!
}

extension Contradiction: MetricLabel { public static var labelName: String { "kind" } }
extension DurabilityGap: MetricLabel { public static var labelName: String { "gap" } }
extension Implausibility.Kind: MetricLabel { public static var labelName: String { "kind" } }
extension Investigation: MetricLabel { public static var labelName: String { "result" } }
extension JournalOperation: MetricLabel { public static var labelName: String { "operation" } }
extension ListenerCapacity.Shed: MetricLabel { public static var labelName: String { "kind" } }
extension PaymentToken.Version: MetricLabel { public static var labelName: String { "version" } }
extension Reconciliation: MetricLabel { public static var labelName: String { "result" } }
extension ReloadStatus.Part: MetricLabel { public static var labelName: String { "part" } }
extension StepTimes.Step: MetricLabel { public static var labelName: String { "step" } }

/// The only label of a metric whose label values are constants of the code.
struct TextLabel<Name: LabelName>: MetricLabels {
    static var names: [String] { [Name.text] }
    let value: String
    var values: [String] { [value] }

    init(_ value: String) { self.value = value }
}

/// The name of a ``TextLabel``.
protocol LabelName: Hashable, Sendable { static var text: String { get } }
enum AccountLabel: LabelName { static let text = "account" }
enum CertificateLabel: LabelName { static let text = "certificate" }
enum CheckLabel: LabelName { static let text = "check" }
enum OutcomeLabel: LabelName { static let text = "outcome" }
enum ResultLabel: LabelName { static let text = "result" }

struct OperationLabels: MetricLabels {
    static let names = ["command", "outcome"]
    let command: OperationCommand
    let outcome: String
    var values: [String] { [command.rawValue, outcome] }
}

/// The labels of an operator's certificate. The `publicKeyHash` of a token is never a label.
struct CertificateEndLabels: MetricLabels {
    static let names = ["kind", "public_key_hash"]
    let kind: CertificateEnd.Kind
    let publicKeyHash: Base64Text
    var values: [String] { [kind.rawValue, publicKeyHash.text] }
}

struct BuildLabels: MetricLabels {
    static let names = ["build", "version"]
    let build: BuildInfo
    var values: [String] { [build.configuration, build.version] }
}
