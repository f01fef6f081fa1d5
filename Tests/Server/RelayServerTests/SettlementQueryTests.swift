import Foundation
import HTTPTypes
import PayrelayPrimitives
import Testing

@testable import RelayServer

@Suite struct SettlementQueryTests {
    @Test(arguments: [
        ("day=2026-11-23", "2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z"),
        ("day=2026-11-23&zone=Z", "2026-11-23T00:00:00Z", "2026-11-24T00:00:00Z"),
        ("day=2026-11-23&zone=+04:00", "2026-11-22T20:00:00Z", "2026-11-23T20:00:00Z"),
        ("zone=%2B04%3A00&day=2026-11-23", "2026-11-22T20:00:00Z", "2026-11-23T20:00:00Z"),
        ("day=2026-11-23&zone=-05:30", "2026-11-23T05:30:00Z", "2026-11-24T05:30:00Z"),
        ("day=2024-02-29", "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"),
        ("day=1970-01-01", "1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z"),
    ])
    func aDayIsFromMidnightToMidnightOfItsZone(query: String, start: String, end: String) throws {
        let query = try SettlementQuery(target: "/v1/settlement?" + query)
        #expect(query.start.rfc3339 == start && query.end.rfc3339 == end)
    }

    @Test(arguments: [
        ("", ["day"]), ("?", ["day"]), ("?day=", ["day"]), ("?day=2026-02-29", ["day"]), ("?day=2026-11-31", ["day"]),
        ("?day=2026-13-01", ["day"]), ("?day=2026-11-00", ["day"]), ("?day=26-11-23", ["day"]),
        ("?day=2026-11-23T00:00:00Z", ["day"]), ("?day=-026-11-23", ["day"]), ("?day=1969-12-31", ["day"]),
        ("?day=2026-11-23&day=2026-11-24", ["day"]), ("?day=2026-11-23&zone=", ["zone"]),
        ("?day=2026-11-23&zone=Dubai", ["zone"]), ("?day=2026-11-23&zone=+24:00", ["zone"]),
        ("?day=2026-11-23&zone=04:00", ["zone"]), ("?day=2026-11-23&zone=+04:60", ["zone"]),
        ("?days=2026-11-23&zone=x", ["days", "zone", "day"]), ("?day=2026-11-23&account=a", ["account"]),
    ])
    func everyWrongParameterIsNamed(query: String, fields: [String]) {
        let problem = #expect(throws: Problem.self) { try SettlementQuery(target: "/v1/settlement" + query) }
        #expect(problem?.status == .badRequest && problem?.errors.map(\.field) == fields)
    }
}
