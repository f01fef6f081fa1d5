import OutboundHTTP
import PayrelayPrimitives
import Testing

extension OutboundClient {
    /// How the request ends, which must be without an answer; records an issue where it gets one.
    func failure(of request: OutboundRequest, sourceLocation: SourceLocation = #_sourceLocation) async
        -> Failure
    {
        switch await send(request) {
        case .answered(let answer):
            Issue.record("an answer with status \(answer.status)", sourceLocation: sourceLocation)
            return .unknown(reason: "none: there was an answer")
        case .notSent(let reason): return .notSent(reason: reason)
        case .unknown(let reason): return .unknown(reason: reason)
        }
    }
}

typealias Failure = Outcome<Never>

extension Failure {
    var isNotSent: Bool {
        if case .notSent = self { true } else { false }
    }

    var reason: String {
        switch self {
        case .notSent(let reason), .unknown(let reason): reason
        }
    }
}
