import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import FortAPI

/// The client and libcurl against a FORT in Python, which shares no code with the client, over a real socket.
@Suite(.enabled(if: Shared.has(FortSignatureVectorTests.mock) && Shared.python != nil))
struct FortClientOverHTTPTests {
    /// A FORT in a separate process.
    final class Fort {
        let endpoint: GatewayEndpoint
        private let process: TestProgram
        private let input = Pipe()

        /// - Parameter behaviour: A name of a behaviour in `fort_mock`, or `nil` for a FORT that works.
        init(_ type: FortSignatureType, behaviour: String? = nil) throws {
            let how = behaviour.map { "'\($0)'" } ?? "None"
            let program = """
                import sys, fort_mock
                fort = fort_mock.Fort("\(type.rawValue)", "\(Samples.requestPhrase)", "\(Samples.responsePhrase)",
                                      behaviour=lambda parameters, count: \(how))
                print(fort.url, flush=True)
                sys.stdin.read()
                """
            let output = Pipe()
            process = try TestProgram(
                [Shared.python ?? "", "-c", program],
                environment: ["PYTHONPATH": Shared.url("acceptance").path, "PYTHONDONTWRITEBYTECODE": "1"],
                input: input, output: .pipe(output))
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            endpoint = try GatewayEndpoint(line.trimmingCharacters(in: .whitespacesAndNewlines))
        }

        /// Ends the process by closing its standard input.
        func stop() {
            try? input.fileHandleForWriting.close()
            _ = process.waitUntilEnd()
        }
    }

    @Test(arguments: FortSignatureType.allCases)
    func chargesAndQueriesTheStatus(type: FortSignatureType) async throws {
        let fort = try Fort(type)
        defer { fort.stop() }
        let transport = OutboundClient()
        defer { transport.shutdown() }
        let client = FortClient(account: try Samples.account(type), endpoint: fort.endpoint, transport: transport)
        let unknown = try await client.send(FortRequest(statusOf: "ORDER-1001"), timeout: .seconds(20))
            .get()
        #expect(unknown.class == .notFound)
        let order = [
            "customer_name": "سارة الأحمد", "order_description": "iPhone 6-S / #1 $ 'x'", "merchant_extra1": "b",
        ]
        let paid = try await client.send(Samples.request(order), timeout: .seconds(20)).get()
        #expect(paid.class == .success)
        #expect(paid["customer_name"] == "سارة الأحمد")
        let again = try await client.send(Samples.request(order), timeout: .seconds(20)).get()
        #expect(again.class == .duplicate)
        let found = try await client.send(FortRequest(statusOf: "ORDER-1001"), timeout: .seconds(20))
            .get()
        #expect(found.transactionState == .captured)
    }

    @Test(arguments: [
        ("unsigned", FortAnswerError.unsigned, ""),
        ("forged", .wrongSignature(saying: FortCode("14000")), "; unverified, it says 14000"),
        ("500", .httpStatus(500), ""),
    ])
    func refusesUnverifiedAnswers(behaviour: String, error: FortAnswerError, saying: String) async throws {
        #expect(try await pay(behaviour: behaviour, timeout: .seconds(20)) == .unverified(error, saying: saying))
    }

    @Test(arguments: ["silent", "drop", "charge-then-drop"])
    func aTimeoutIsUnknown(behaviour: String) async throws {
        guard case .unknown(let reason) = try await pay(behaviour: behaviour, timeout: .seconds(5))
        else {
            Issue.record("a lost request must not count as answered, nor as not sent")
            return
        }
        #expect(reason.hasPrefix("FORT did not answer"))
    }

    private func pay(behaviour: String, timeout: Duration) async throws -> Outcome<FortAnswer> {
        let fort = try Fort(.standard, behaviour: behaviour)
        defer { fort.stop() }
        let transport = OutboundClient()
        defer { transport.shutdown() }
        let client = FortClient(account: try Samples.account(), endpoint: fort.endpoint, transport: transport)
        return await client.send(try Samples.request(), timeout: timeout)
    }
}
