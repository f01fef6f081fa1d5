import PayrelayPrimitives
import OutboundHTTP
import Testing

@testable import FortAPI

/// One exchange, over a transport that answers as told.
struct FortClientTests {
    struct Transport: GatewayTransport {
        var respond: @Sendable ([UInt8]) -> Outcome<(status: Int, body: [UInt8])>

        func post(
            _ body: [UInt8], to endpoint: GatewayEndpoint, timeout: Duration
        ) async -> Outcome<(status: Int, body: [UInt8])> {
            respond(body)
        }
    }

    private func send(
        _ respond: @escaping @Sendable ([UInt8]) -> Outcome<(status: Int, body: [UInt8])>
    ) async throws -> Outcome<FortAnswer> {
        let transport = Transport(respond: respond)
        let client = FortClient(account: try Samples.account(), endpoint: .fortTest, transport: transport)
        return await client.send(try Samples.request(), timeout: .seconds(1))
    }

    @Test func givesBackAVerifiedAnswer() async throws {
        let answer = try await send { body in
            #expect((try? JSON(parsing: body))?["merchant_reference"] == "ORDER-1001")
            return .answered((200, Samples.signed(Samples.approval)))
        }.get()
        #expect(answer.class == .success)
    }

    @Test func tellsNotSentFromUnknown() async throws {
        #expect(
            try await send { _ in .notSent(reason: "refused") }
                == .notSent(reason: "FORT could not be reached: refused"))
        #expect(
            try await send { _ in .unknown(reason: "timeout") }
                == .unknown(reason: "FORT did not answer: timeout"))
    }

    @Test("S3: takes no redirect and no other status than 200", arguments: [100, 201, 204, 301, 400, 403, 500, 503])
    func believesNoOtherStatusThan200(status: Int) async throws {
        #expect(
            try await send { _ in .answered((status, Samples.signed(Samples.approval))) }
                == .unverified(.httpStatus(status)))
    }

    @Test func reportsAnAnswerThatProvesNothing() async throws {
        #expect(
            try await send { _ in .answered((200, Samples.signed(Samples.approval, phrase: "FORGED"))) }
                == .unverified(.wrongSignature))
    }
}

extension Outcome<FortAnswer> {
    /// What an answer that proves nothing makes of a request.
    static func unverified(_ error: FortAnswerError) -> Self {
        .unknown(reason: "the answer cannot be verified: \(error)")
    }
}
