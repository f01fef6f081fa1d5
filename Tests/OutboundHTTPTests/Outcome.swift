import OutboundHTTP
import Testing

extension OutboundClient {
    /// The failure that the request must end with; records an issue where it gets an answer.
    func failure(of request: OutboundRequest, sourceLocation: SourceLocation = #_sourceLocation) async
        -> OutboundFailure
    {
        do throws(OutboundFailure) {
            let answer = try await send(request)
            Issue.record("an answer with status \(answer.status)", sourceLocation: sourceLocation)
            return .noAnswer(reason: "none: there was an answer")
        } catch {
            return error
        }
    }
}

extension OutboundFailure {
    var isNotSent: Bool {
        if case .notSent = self { true } else { false }
    }
}
