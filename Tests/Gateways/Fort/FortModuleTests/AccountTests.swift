import FortAPI
import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import FortModule

/// The choice of the merchant's account for an order, and the account whose phrase verifies the answer.
@Suite struct AccountTests {
    private static func account(_ name: String) throws -> FortAccount {
        try FortAccount(
            accessCode: "ACCESS\(name)", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ-\(name)"),
            responsePhrase: Secret("RES-\(name)"))
    }

    /// The UAE's account takes dirhams, and Jordan's takes dinars.
    private static func gateway(_ fort: ScriptedFort) throws -> FortGateway {
        let accounts = try FortAccounts([
            .init(name: "uae", currencies: [try #require(Currency(code: "AED"))], account: account("uae")),
            .init(name: "jordan", currencies: [try #require(Currency(code: "JOD"))], account: account("jordan")),
        ])
        return FortGateway(
            clients: FortClients(accounts: accounts, endpoint: .fortTest, transport: fort), timeout: .seconds(1))
    }

    private static func fort(phrase: String) throws -> ScriptedFort {
        try ScriptedFort { sent in
            .answered(sent.answered(["status": "14", "response_code": "14000"], phrase: phrase))
        }
    }

    @Test(arguments: ["uae", "jordan"])
    func anOrderIsSentWithItsAccountsCredentials(name: String) async throws {
        let fort = try Self.fort(phrase: "RES-\(name)")
        let gateway = try Self.gateway(fort)
        let charge = try gateway.prepare(Samples.fields, account: name, with: fort.token)
        #expect(charge.order.account == name && charge.gateway == "fort")
        let report = await charge.send()
        #expect(fort.requests.first?["access_code"]?.stringValue == "ACCESS\(name)")
        #expect(fort.requests.first?["account"] == nil)
        #expect(report.answer?.meaning == .captured)
    }

    @Test func anOrderForAnAccountThatIsNotConfiguredIsRefusedBeforeItIsClaimed() throws {
        let fort = try Self.fort(phrase: "RES-uae")
        let gateway = try Self.gateway(fort)
        for prepare in [
            { try gateway.prepare(Samples.fields, account: "egypt", with: fort.token) },
            { try gateway.prepareRecurring(Samples.recurring, account: "egypt") },
        ] as [() throws -> any PreparedCharge] {
            let error = #expect(throws: ValidationErrors.self) { _ = try prepare() }
            #expect(error?.errors.map(\.field) == ["account"])
        }
        #expect(fort.requests.isEmpty)
    }

    @Test func anAnswerSignedByAnotherAccountIsIgnored() async throws {
        let fort = try Self.fort(phrase: "RES-jordan")
        let gateway = try Self.gateway(fort)
        let charge = try gateway.prepare(Samples.fields, account: "uae", with: fort.token)
        #expect(await charge.send().unknownReason != nil)
    }

    @Test func operationsAndQueriesUseTheAccountThatCharged() async throws {
        let fort = try Self.fort(phrase: "RES-jordan")
        let gateway = try Self.gateway(fort)
        _ = await gateway.status(of: try Samples.payment(account: "jordan"))
        #expect(fort.requests.first?["access_code"]?.stringValue == "ACCESSjordan")
    }

    @Test func anAccountThatIsNoLongerConfiguredIsNamedAndNothingIsSent() async throws {
        let fort = try Self.fort(phrase: "RES-uae")
        let report = await (try Self.gateway(fort)).status(of: try Samples.payment(account: "egypt"))
        guard case .notSent(let reason) = report else {
            Issue.record("it was sent")
            return
        }
        #expect(reason.contains("egypt") && fort.requests.isEmpty)
    }
}
