import PayrelayPrimitives
import Testing

/// The ledger accepts any name of an operation, as gateways do for most commands.
@Suite struct OperationBodyTests {
    @Test(
        "S14: a maintenance_reference that is too long or has another character is refused, and nothing is journaled",
        arguments: ["", String(repeating: "r", count: 201), "a b", "R/1", "é", "r\n"])
    func refusesAMaintenanceReference(_ name: String) async throws {
        try await LedgerServer.run { server in
            #expect(try await server.pay("L-1", 10_000, "AUTHORIZATION").status == 200)
            let before = try await server.get("/v1/payments/L-1").body
            for command in ["capture", "void", "refund"] {
                let refused = try await server.post(
                    "/v1/payments/L-1/\(command)", ["maintenance_reference": .string(name)])
                #expect(refused.status == 400, "\(command)")
                #expect(refused.json["errors"]?.arrayValue?.map { $0["field"] } == ["maintenance_reference"])
            }
            #expect(try await server.get("/v1/payments/L-1").body == before)
        }
    }

    @Test func takesTheLongestMaintenanceReference() async throws {
        let name = "aZ09._-" + String(repeating: "r", count: 193)
        try await LedgerServer.run { server in
            #expect(try await server.pay("L-1", 10_000, "AUTHORIZATION").status == 200)
            let captured = try await server.post("/v1/payments/L-1/capture", ["maintenance_reference": .string(name)])
            #expect(captured.status == 200 && captured.json["maintenance_reference"] == .string(name))
        }
    }
}
