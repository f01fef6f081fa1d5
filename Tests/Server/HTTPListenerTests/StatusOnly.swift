import HTTPTypes

@testable import HTTPListener

extension ListenerCapacity {
    /// One that answers what reaches no route with a status alone.
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
