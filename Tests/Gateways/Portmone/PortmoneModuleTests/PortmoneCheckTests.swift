import GatewayModule
import PayrelayPrimitives
import PortmoneAPI
import Testing

@testable import PortmoneModule

/// The state of an account, as Portmone's answer about an order that does not exist shows it.
@Suite struct PortmoneCheckTests {
    private func verdict(of portmone: ScriptedPortmone) async throws -> Diagnostic.Verdict {
        let check = PortmoneCheck(
            address: .production, timeout: .seconds(20), transport: portmone, moment: Samples.now)
        return await check.diagnostic(try ScriptedPortmone.accounts().entries[0]).verdict
    }

    @Test(
        "an empty list passes, an error fails, and an empty body says nothing",
        arguments: [
            ([], .pass), (["errorCode": "15", "error": "no access"], .fail), (nil, .unknown),
        ] as [(JSON?, Diagnostic.Verdict)])
    func verdicts(answer: JSON?, expected: Diagnostic.Verdict) async throws {
        #expect(try await verdict(of: ScriptedPortmone(answer)) == expected)
    }

    @Test("a refusal of the days in a query is found before the first payment")
    func refusedDays() async throws {
        let portmone = ScriptedPortmone([
            { request in
                let isTomorrow = request.data["endDate"] == "16.01.2027"
                let answer: JSON = isTomorrow ? ["errorCode": "7", "error": "endDate is in the future"] : []
                return .answered(answer)
            }
        ])
        #expect(try await verdict(of: portmone) == .fail)
        #expect(portmone.methods == ["result"])
    }
}
