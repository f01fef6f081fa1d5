import Foundation
import TestPrograms
import Testing

/// The rule in the first comment of `PaymentRelay.swift`: the core does not know HTTP, databases or a gateway's name.
@Suite struct CoreHoldsTheCoreTests {
    private static let sources = Project.url("Sources/Core/PaymentRelay")

    private static func files() throws -> [(path: String, text: String)] {
        let enumerator = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        let files = (enumerator?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
        #expect(files.count > 40)
        return try files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    @Test("The core imports only lower targets, and neither HTTP nor a database") func importsOnlyWhatIsBelow() throws {
        let below: Set = [
            "ApplePayToken", "Crypto", "Foundation", "FoundationEssentials", "Glibc", "Logging", "PayrelayPrimitives",
            "Synchronization", "Tracing", "UnderWay",
        ]
        for (path, text) in try Self.files() {
            let imported = text.matches(of: /(?m)^(?:public )?import (?:struct |enum )?(\w+)/).map { String($0.1) }
            #expect(Set(imported).isSubset(of: below), "\(path) imports \(Set(imported).subtracting(below))")
        }
    }

    /// `fort_id` is allowed: it is the API's name for the gateway's reference.
    @Test("The core names no gateway") func namesNoGateway() throws {
        for (path, text) in try Self.files() {
            let known = text.replacing("fort_id", with: "")
            let words = known.lowercased().matches(of: /\w*fort\w*|\w*portmone\w*/).map { String($0.0) }
            let named = words.filter { !["effort", "comfort"].contains($0) }
            #expect(named.isEmpty, "\(path) names \(named)")
        }
    }
}
