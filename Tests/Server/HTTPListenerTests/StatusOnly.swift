import HTTPTypes

@testable import HTTPListener

extension ListenerCapacity {
    /// Makes a responder that answers requests without a route with only a status.
    convenience init(limits: ListenerLimits, isDraining: @escaping @Sendable () -> Bool = { false }) {
        self.init(limits: limits, isDraining: isDraining) { rejection in
            let status: HTTPResponse.Status =
                switch rejection {
                case .bodyTooLarge: .contentTooLarge
                case .headersTooLarge: .requestHeaderFieldsTooLarge
                case .malformedRequest: .badRequest
                case .requestTooSlow: .requestTimeout
                case .tooManyInFlight: .serviceUnavailable
                case .unknownMethod: .notImplemented
                }
            return Answer(head: HTTPResponse(status: status), body: [])
        }
    }
}
