import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// The `customer_ip` that FORT gets, with a proxy and without.
@Suite struct TrustedProxyTests {
    private func addressTold(_ settings: [String: String], _ header: (name: String, value: String)) async throws
        -> JSON?
    {
        let relay = try await RunningRelay(settings)
        let order = try Orders.body().with(["customer_ip": nil])
        let answer = try await relay.post("/v1/payments", order.encoded(), headers: [header])
        #expect(answer.outcome == "captured")
        return answer.json?["processor_response"]?["customer_ip"]
    }

    @Test func aTrustedProxyNamesTheClientsAddress() async throws {
        let trusted = ["PAYRELAY_HTTP_TRUSTED_PROXIES": "127.0.0.0/8, 10.0.0.0/8"]
        #expect(
            try await addressTold(trusted, ("X-Forwarded-For", "203.0.113.66, 192.0.2.9, 10.0.0.3")) == "192.0.2.9")
        #expect(try await addressTold(trusted, ("Forwarded", "for=1.1.1.1, for=192.0.2.9")) == "192.0.2.9")
    }

    @Test func anUntrustedPeerDoesNotNameTheClientsAddress() async throws {
        #expect(try await addressTold([:], ("X-Forwarded-For", "192.0.2.9")) == "127.0.0.1")
        let other = ["PAYRELAY_HTTP_TRUSTED_PROXIES": "10.0.0.0/8"]
        #expect(try await addressTold(other, ("X-Forwarded-For", "192.0.2.9")) == "127.0.0.1")
    }
}
