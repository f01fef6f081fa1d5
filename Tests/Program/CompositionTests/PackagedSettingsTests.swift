import Composition
import FortModule
import Foundation
import Settings
import TestPrograms
import Testing

/// The settings file that packages install, packaging/payrelay.env.
@Suite struct PackagedSettingsTests {
    private static func lines() throws -> [Substring] {
        let text = try String(contentsOf: Project.url("packaging/payrelay.env"), encoding: .utf8)
        return text.split(separator: "\n")
    }

    @Test("Each line of the packaged file is a comment or a setting that exists, commented out")
    func everyLineIsASettingOrAComment() throws {
        let names = Set(
            SettingCatalog.relay.all.flatMap { setting in
                let name = setting.environmentName.map { [$0] } ?? []
                return setting.isSecret ? name + name.map { $0 + "_FILE" } : name
            })
        for line in try Self.lines() {
            #expect(line.hasPrefix("#"))
            guard line.hasPrefix("#PAYRELAY_") else { continue }
            let name = line.dropFirst().prefix { $0 != "=" }
            #expect(names.contains(String(name)), "\(name) is no setting")
        }
    }

    @Test(
        "The packaged file has every setting without which the relay does not start",
        arguments: SettingCatalog.relay.all.filter { $0.standard == .required }.compactMap(\.environmentName))
    func hasWhatIsRequired(_ name: String) throws {
        #expect(try Self.lines().contains { $0.hasPrefix("#\(name)") })
    }
}
