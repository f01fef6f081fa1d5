import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Examples/web-shop: the page, the backend and the relay behind one origin.
@Suite(.enabled(if: ExampleProgram.isOnThePath("node"), "node is not on the PATH"))
struct WebShopExampleTests {
    /// The header with which a browser marks a page's requests to its own origin.
    private static let sameOrigin = [(name: "Sec-Fetch-Site", value: "same-origin")]
    private static let json = [(name: "Content-Type", value: "application/json")]

    @Test("A page pays at a single origin, and the goods are shipped")
    func aPagePays() async throws {
        let place = try await RunningBackend.Place()
        let backend = try await GeneratedKey("shop")
        let own = ["PAYRELAY_HTTP_TRUSTED_PROXIES": "127.0.0.1", "PAYRELAY_API_KEYS": backend.line]
        let relay = try await RunningRelay(place.relay.merging(own) { $1 })
        let shop = try await RunningBackend(
            place, "web-shop/serve.mjs", ["RELAY_URL": "http://127.0.0.1:\(relay.port)"])
        let page = try await shop.get("/")
        #expect(page.status == 200 && page.header("Content-Security-Policy")?.contains("script-src 'self'") == true)
        let module = try await shop.get("/payrelay.js")
        #expect(module.status == 200 && String(decoding: module.body, as: UTF8.self).contains("class ApplePayCheckout"))
        for path in ["/shop.mjs", "/shop.css", "/products"] { #expect(try await shop.get(path).status == 200) }

        let reference = try await shop.order()
        let credential = bearer(try await shop.token(of: reference)) + Self.sameOrigin + Self.json
        func pay(_ amount: Int, _ others: [(name: String, value: String)] = []) async throws -> OutboundAnswer {
            let body = try Orders.phoneBody(reference, amount: amount).json.encoded()
            return try await shop.post(
                "/v1/payments", String(decoding: body, as: UTF8.self), headers: credential + others)
        }
        let cheap = try await pay(1)
        #expect(cheap.status == 403 && cheap.faultyFields == ["amount"])
        // The customer cannot choose the address that FORT's fraud check gets.
        let paid = try await pay(
            16_500, [(name: "X-Forwarded-For", value: "192.0.2.10"), (name: "Forwarded", value: "for=192.0.2.10")])
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
        let seen = try await relay.get("/v1/payments/\(reference)", headers: bearer(backend.key)).json
        #expect(seen?["processor_response"]?["customer_ip"] == "127.0.0.1")
        #expect(try await shop.get("/v1/payments/\(reference)", headers: credential).outcome == "captured")
        try await shop.program.wait(for: "the shipment") { try await shop.isShipped(reference) }
    }

    @Test("The origin forwards only the relay's routes that a page needs")
    func nothingElseIsForwarded() async throws {
        let place = try await RunningBackend.Place()
        let relay = try await RunningRelay(place.relay)
        let shop = try await RunningBackend(
            place, "web-shop/serve.mjs", ["RELAY_URL": "http://127.0.0.1:\(relay.port)"])
        let paths = [
            "/v1/payments/T-1/capture", "/v1/payments/T-1/refund", "/v1/payments/", "/v1/payments/../metrics",
            "/v1/tokens/verify", "/v1/sdk-tokens", "/metrics", "/live", "/v1/feedback/direct",
            "/../backend/backend.mjs", "/serve.mjs", "/%2e%2e/backend/backend.mjs", "/orders.jsonl",
        ]
        for path in paths {
            for answer in [try await shop.get(path), try await shop.post(path, "{}", headers: Self.json)] {
                #expect(answer.status == 404 && answer.json?["error"] == "no such page", "\(path)")
            }
        }
        // A request of another page reaches the relay with its own mark.
        let foreign = try await shop.post(
            "/v1/payments", "{}", headers: Self.json + [(name: "Sec-Fetch-Site", value: "cross-site")])
        #expect(foreign.status == 403 && foreign.problem != nil)
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        #expect(try await shop.get("/v1/payments/T-1").status == 502)
        #expect(try await shop.get("/products").status == 200)
    }
}
