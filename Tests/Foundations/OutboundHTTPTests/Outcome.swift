import OutboundHTTP
import PayrelayPrimitives
import Testing

extension OutboundClient {
    /// Sends a request that must fail, and returns the failure. Records an issue if the request gets an answer.
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
