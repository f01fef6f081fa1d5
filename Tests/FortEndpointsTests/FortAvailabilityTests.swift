@testable import FortAPI
import OutboundHTTP
import Testing

@testable import FortEndpoints

@Suite struct FortAvailabilityTests {
    @Test("FORT is down while the circuit breaker is open, and unknown once it closes until FORT was asked again")
    func followsTheCircuitBreaker() {
        let availability = FortAvailability()
        #expect(availability.state == .unknown)
        availability.observe(
            FortExchange(
                command: .checkStatus, duration: .zero, result: .failure(.outbound(.notSent(reason: "refused")))))
        #expect(availability.state == .down)
        availability.circuitBreakerChanged(isClosed: true)
        #expect(availability.state == .unknown)
        availability.circuitBreakerChanged(isClosed: false)
        #expect(availability.state == .down)
    }
}
