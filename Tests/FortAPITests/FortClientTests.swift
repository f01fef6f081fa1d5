import PayrelayPrimitives
import OutboundHTTP
import Testing

@testable import FortAPI

/// One exchange, over a transport that answers as told.
struct FortClientTests {
    struct Transport: FortTransport {
        var respond: @Sendable ([UInt8]) throws(OutboundFailure) -> (status: Int, body: [UInt8])

        func post(
            _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
        ) async throws(OutboundFailure) -> (status: Int, body: [UInt8]) {
            try respond(body)
        }
    }

    private func send(
        _ respond: @escaping @Sendable ([UInt8]) throws(OutboundFailure) -> (status: Int, body: [UInt8])
    ) async throws -> FortAnswer {
        let transport = Transport(respond: respond)
        let client = FortClient(account: try Samples.account(), endpoint: .test, transport: transport)
        return try await client.send(try Samples.request(), timeout: .seconds(1))
    }

    @Test func givesBackAVerifiedAnswer() async throws {
        let answer = try await send { body in
            #expect((try? JSON(parsing: body))?["merchant_reference"] == "ORDER-1001")
            return (200, Samples.signed(Samples.approval))
        }
        #expect(answer.class == .success)
    }

    @Test func tellsNotSentFromNoAnswer() async throws {
        await #expect(throws: FortFailure.outbound(.notSent(reason: "refused"))) {
            try await send { _ throws(OutboundFailure) in throw .notSent(reason: "refused") }
        }
        await #expect(throws: FortFailure.outbound(.noAnswer(reason: "timeout"))) {
            try await send { _ throws(OutboundFailure) in throw .noAnswer(reason: "timeout") }
        }
    }

    @Test("S3: takes no redirect and no other status than 200", arguments: [100, 201, 204, 301, 400, 403, 500, 503])
    func believesNoOtherStatusThan200(status: Int) async throws {
        await #expect(throws: FortFailure.unverified(.httpStatus(status))) {
            try await send { _ in (status, Samples.signed(Samples.approval)) }
        }
    }

    @Test func reportsAnAnswerThatProvesNothing() async throws {
        await #expect(throws: FortFailure.unverified(.wrongSignature)) {
            try await send { _ in (200, Samples.signed(Samples.approval, phrase: "FORGED")) }
        }
    }
}
