import FortAPI
import OutboundHTTP
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// The sandbox and an independent implementation of FORT give the same answer to the same bytes.
@Suite(.enabled(if: Shared.hasMock), .timeLimit(.minutes(25)))
struct IndependentFortTests {
    @Test(arguments: FortSignatureType.allCases)
    func bothAnswerAlike(type: FortSignatureType) async throws {
        let bench = try SandboxBench(type)
        let fort = try IndependentFort(bench.account)
        defer { fort.stop() }
        let client = OutboundClient()
        defer { client.shutdown() }

        let fields = ["customer_name": "سارة الأحمد", "order_description": "Tea #1 / 2", "merchant_extra": "x"]
        let purchase = try bench.payment("A", fields: fields)
        let authorization = try bench.payment("B", .authorization)
        let refused = try bench.payment("C")
        for (name, body, code) in [
            ("not found", try bench.query("A").body, "12036"),
            ("a purchase", purchase.body, "14000"),
            ("its duplicate", purchase.body, "13007"),
            ("the purchase, found", try bench.query("A").body, "12000"),
            ("an authorization", authorization.body, "02000"),
            ("its duplicate", authorization.body, "03007"),
            ("the authorization, found", try bench.query("B").body, "12000"),
            ("a wrong signature", bench.changed(refused, [:], phrase: "OTHER"), "00008"),
            ("a wrong access code", bench.changed(refused, ["access_code": "OTHER"]), "00010"),
            ("an unknown command", bench.changed(refused, ["command": "OTHER"]), "00004"),
            ("none of it was taken", try bench.query("C").body, "12036"),
        ] {
            let request = OutboundRequest(
                url: fort.url, headers: [(name: "Content-Type", value: "application/json")], body: body,
                connectTimeout: .seconds(90), timeout: .seconds(900))
            let theirs = try #require(try JSON(parsing: try await client.send(request).get().body).objectValue)
            let ours = try await bench.answer(to: body).parameters
            for parameter in [
                "response_code", "status", "merchant_reference", "amount", "transaction_code", "transaction_status",
                "refunded_amount", "customer_name", "fort_id",
            ] {
                #expect(ours[parameter] == theirs[parameter], "\(name): \(parameter)")
            }
            #expect(ours["response_code"]?.stringValue == code, "\(name)")
        }
    }
}
