import OutboundHTTP
import PayrelayPrimitives
import Testing

@testable import FortAPI

/// One exchange, over a transport that answers as the test says.
struct FortClientTests {
    struct Transport: GatewayTransport {
        var respond: @Sendable ([UInt8]) -> Outcome<(status: Int, body: [UInt8])>

        func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
            respond(request.body).map { OutboundAnswer(status: $0.status, body: $0.body) }
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

    /// An unverified answer's code is reported if it is a code. Nothing else in the answer is reported.
    @Test(
        arguments: [
            ("14000", "; unverified, it says 14000"), ("00008", "; unverified, it says 00008"),
            (.number("14000"), "; unverified, it says 14000"), ("1400", ""), ("140000", ""), ("٠٠٠٠٨", ""),
            ("0000\n", ""), (["00008"], ""), (.null, ""),
        ] as [(JSON, String)])
    func reportsAnAnswerThatProvesNothing(code: JSON, saying: String) async throws {
        var answer = Samples.approval
        answer["response_code"] = code
        let forged = Samples.signed(answer, phrase: "FORGED")
        let error = FortAnswerError.wrongSignature(saying: FortCode(code.scalarText ?? ""))
        #expect(try await send { _ in .answered((200, forged)) } == .unverified(error, saying: saying))
    }
}

extension Outcome<FortAnswer> {
    /// The outcome of a request after an answer that proves nothing.
    static func unverified(_ error: FortAnswerError, saying: String = "") -> Self {
        .unknown(reason: "the answer cannot be verified: \(error)\(saying)")
    }
}
