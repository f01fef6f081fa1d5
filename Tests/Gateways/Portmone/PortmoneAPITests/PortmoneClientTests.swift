import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import Testing

@testable import PortmoneAPI

/// A Portmone that answers as the test says, in place of the network.
final class Scripted: GatewayTransport {
    private let respond: @Sendable ([UInt8]) -> Outcome<(status: Int, body: [UInt8])>
    private let seen = Mutex<[String]>([])

    init(_ respond: @escaping @Sendable ([UInt8]) -> Outcome<(status: Int, body: [UInt8])>) {
        self.respond = respond
    }

    var urls: [String] { seen.withLock { $0 } }

    func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        seen.withLock { $0.append(request.url) }
        return respond(request.body).map { OutboundAnswer(status: $0.status, body: $0.body) }
    }
}

@Suite struct PortmoneClientTests {
    private func send(
        _ respond: @escaping @Sendable ([UInt8]) -> Outcome<(status: Int, body: [UInt8])>
    ) async throws -> Outcome<PortmoneAnswer> {
        let client = PortmoneClient(
            account: try Samples.account(), endpoint: .production, transport: Scripted(respond))
        return await client.send(ResultRequest(.order("ORDER-1")), timeout: .seconds(1))
    }

    @Test("an answer is read")
    func answered() async throws {
        #expect(try await send { _ in .answered((200, Array("[]".utf8))) }.get().content == .entries([]))
    }

    @Test("R10: a request that did not leave is not sent, and a missing answer is unknown")
    func failures() async throws {
        #expect(
            try await send { _ in .notSent(reason: "refused") }
                == .notSent(reason: "Portmone could not be reached: refused"))
        #expect(
            try await send { _ in .unknown(reason: "timeout") }
                == .unknown(reason: "Portmone did not answer: timeout"))
    }

    @Test("S3: takes no redirect and no other status than 200", arguments: [100, 201, 204, 301, 400, 403, 500, 503])
    func otherStatus(status: Int) async throws {
        #expect(
            try await send { _ in .answered((status, Array("[]".utf8))) }
                == .unknown(reason: "Portmone's answer proves nothing: the HTTP status is \(status)"))
    }

    @Test("S6: an unreadable answer is not an answer", arguments: ["<html>", "[1]", #"{"result":1}"#])
    func unreadable(body: String) async throws {
        guard case .unknown = try await send({ _ in .answered((200, Array(body.utf8))) }) else {
            Issue.record("it was believed")
            return
        }
    }

    @Test("charges go to /r3/api/gateway/, and everything else to /gateway/; one URL takes both")
    func addresses() async throws {
        let charge = APayRequest(
            shopOrderNumber: "ORDER-1", amount: 101, currency: try Samples.currency("UAH"), isPreauthorization: false,
            token: try Samples.token())
        for (endpoint, urls) in [
            (
                PortmoneEndpoint.production,
                ["https://www.portmone.com.ua/r3/api/gateway/", "https://www.portmone.com.ua/gateway/"]
            ),
            (
                try PortmoneEndpoint("http://127.0.0.1:1/r3/api/gateway/"),
                ["http://127.0.0.1:1/r3/api/gateway/", "http://127.0.0.1:1/r3/api/gateway/"]
            ),
        ] {
            let transport = Scripted { _ in .unknown(reason: "") }
            let client = PortmoneClient(account: try Samples.account(), endpoint: endpoint, transport: transport)
            _ = await client.send(charge, timeout: .seconds(1))
            _ = await client.send(ResultRequest.probe(), timeout: .seconds(1))
            #expect(transport.urls == urls)
        }
        #expect(throws: SecureURLError.notEncrypted) { try PortmoneEndpoint("http://portmone.example/gateway/") }
    }

    @Test("each exchange is observed with its method, its payee and how it ended")
    func observed() async throws {
        let seen = Mutex<[PortmoneExchange]>([])
        let transport = Scripted { _ in .answered((200, Array("[]".utf8))) }
        let client = PortmoneClient(account: try Samples.account(), endpoint: .production, transport: transport) {
            exchange in seen.withLock { $0.append(exchange) }
        }
        _ = await client.send(ResultRequest.probe(), timeout: .seconds(1))
        #expect(seen.withLock { $0.map(\.method) } == [.result])
        #expect(seen.withLock { $0.map(\.payeeID) } == ["1185"])
    }
}
