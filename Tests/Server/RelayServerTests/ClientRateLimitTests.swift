import AccessControl
import HTTPListener
import Testing

@testable import RelayServer

@Suite struct ClientRateLimitTests {
    private func sender(at address: String?, _ path: String = "/v1/payments", client: AuthenticatedClient? = nil)
        -> RequestSender?
    {
        let limit = ClientRateLimit(
            limit: RateLimit(perSecond: 1), exempt: ["/v1/feedback/direct", "/v1/feedback/notification"])
        return limit.counted(
            client.map { .success(.client($0)) } ?? .failure(.missing), address, path: path)
    }

    @Test func countsIPv6ByNetwork() {
        #expect(sender(at: "192.0.2.1") != sender(at: "192.0.2.2"))
        #expect(sender(at: "2001:db8::1") == sender(at: "2001:db8::ffff:ffff:ffff:ffff"))
        #expect(sender(at: "2001:db8::1") != sender(at: "2001:db8:0:1::1"))
        #expect(sender(at: "::ffff:192.0.2.1") != sender(at: "::ffff:192.0.2.2"))
    }

    @Test func countsAnAuthenticatedClientByName() {
        let shop = AuthenticatedClient(name: "shop", scopes: [])
        #expect(sender(at: "192.0.2.1", client: shop) == sender(at: "192.0.2.2", client: shop))
        #expect(
            sender(at: "192.0.2.1", client: shop)
                != sender(at: "192.0.2.1", client: AuthenticatedClient(name: "bank", scopes: []))
        )
        // A client's name may look like an address.
        let named = AuthenticatedClient(name: "192.0.2.1", scopes: [])
        #expect(sender(at: "192.0.2.1", client: named) != sender(at: "192.0.2.1"))
    }

    @Test func countsAPhoneByItsOrder() {
        func phone(_ reference: String) -> AuthenticatedClient {
            AuthenticatedClient(
                name: "shop", scopes: [],
                order: PinnedOrder(merchantReference: reference, fields: ["amount": "1", "currency": "AED"]))
        }
        let first = sender(at: "192.0.2.1", client: phone("A"))
        #expect(first != sender(at: "192.0.2.1", client: phone("B")))
        #expect(first != sender(at: "192.0.2.1", client: AuthenticatedClient(name: "shop", scopes: [])))
        #expect(first == sender(at: "192.0.2.9", client: phone("A")))
        // The stored part of a reference is bounded.
        let long = String(repeating: "x", count: 8_000)
        #expect(sender(at: nil, client: phone(long)) == sender(at: nil, client: phone(long + "y")))
    }

    @Test func doesNotCountFeedback() {
        #expect(sender(at: "192.0.2.1", "/v1/feedback/direct") == nil)
        #expect(sender(at: "192.0.2.1", "/v1/feedback/notification") == nil)
    }
}
