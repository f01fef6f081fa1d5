import AccessControl
import PayrelayPrimitives
import RelayServer
import Synchronization
import Testing

@testable import Console

/// The operators' view of how FORT answers.
@Suite struct AccountStateTests {
    @Test(
        "each state has its sentence on the health page, and every page shows each account's state if it is bad")
    func eachStateIsSaid() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        var sentences: Set<String> = []
        for state in AccountAvailability.State.allCases {
            bench.accountStates.all.withLock {
                $0 = [
                    AccountAvailability(gateway: "FORT", account: "good", state: .answering),
                    AccountAvailability(gateway: "FORT", account: "other", state: state),
                ]
            }
            let sentence = state.sentence.escapedInHTML
            sentences.insert(sentence)
            #expect(try await browser.get("/console/health").text.contains(sentence))
            for path in ["/console", "/console/payments", "/console/codes", "/console/none"] {
                let text = try await browser.get(path).text
                #expect(text.contains("FORT, account other: \(sentence)") == state.isBad, "\(path) \(state)")
                #expect(!text.contains("FORT, account good:"))
            }
        }
        #expect(sentences.count == AccountAvailability.State.allCases.count)
    }

    @Test(
        "S6: an account that is not charged is said first, with the setting to look at",
        arguments: ["/console", "/console/health"])
    func notCharged(path: String) async throws {
        let bench = try ConsoleBench()
        bench.accountStates.all.withLock {
            $0 = [
                AccountAvailability(
                    gateway: "FORT", account: "other", state: .unproven, whyNotCharged: "compare response_phrase")
            ]
        }
        let text = try await bench.browser(.viewer).get(path).text
        #expect(text.contains("Nothing is charged: compare response_phrase."))
    }
}

extension String {
    fileprivate var escapedInHTML: String { replacing("'", with: "&#39;") }
}
