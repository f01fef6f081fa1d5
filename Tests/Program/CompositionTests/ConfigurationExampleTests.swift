import Composition
import FortModule
import Foundation
import GatewayModule
import PayrelayPrimitives
import Settings
import TestPrograms
import Testing
import Yams

/// The output of `payrelay config example`.
@Suite struct ConfigurationExampleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The example with every setting set: the `#` before a key is removed. Comments have a space after the `#`.
    private static let uncommented = ConfigurationExample.text(of: .relay).split(
        separator: "\n", omittingEmptySubsequences: false
    )
    .map { line in
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        return rest.hasPrefix("#") && !rest.hasPrefix("# ") ? indent + rest.dropFirst() : line
    }.joined(separator: "\n")

    private func configuration(_ text: String, _ environment: [String: String] = [:]) throws -> RelayConfiguration {
        let path = try folder.file("\(UUID().uuidString).yaml", text)
        var configuration = try RelayConfiguration(ConfigurationSources(environment: environment, file: path))
        // The report tells the source of each value, which differs if the value is in the file.
        configuration.report = nil
        return configuration
    }

    @Test func hasEverySettingOnce() throws {
        var keys: [String] = []
        func collect(_ node: Node, at path: [String]) {
            guard case .mapping(let mapping) = node else { return keys.append(path.joined(separator: ".")) }
            for (key, value) in mapping { collect(value, at: path + [key.string ?? "?"]) }
        }
        collect(try #require(try Yams.compose(yaml: Self.uncommented)), at: [])
        #expect(keys == SettingCatalog.relay.all.map(\.key))
        #expect(
            keys.prefix(4) == [
                "fort.access_code", "fort.merchant_identifier", "fort.request_phrase", "fort.response_phrase",
            ])
    }

    @Test func setsNothingAsItStands() throws {
        #expect(
            try SchemaCheck(ConfigurationSchema.json(of: .relay)).errors(
                in: JSON(yaml: ConfigurationExample.text(of: .relay))) == [])
        #expect(throws: ConfigurationError.self) { try configuration(ConfigurationExample.text(of: .relay)) }
        let plain = try configuration("", RelayConfigurationTests.account)
        #expect(
            "\(try configuration(ConfigurationExample.text(of: .relay), RelayConfigurationTests.account))" == "\(plain)"
        )
    }

    @Test("uncommented, it is valid by the schema, and the relay reads it and finds its defaults")
    func namesTheDefaultsThatAreUsed() throws {
        #expect(try SchemaCheck(ConfigurationSchema.json(of: .relay)).errors(in: JSON(yaml: Self.uncommented)) == [])
        let plain = try configuration("", RelayConfigurationTests.account)
        var read = try configuration(Self.uncommented, RelayConfigurationTests.account)
        // The example file has an account for the second gateway.
        #expect(read.modules.map { type(of: $0).name } == ["fort", "portmone"])
        read.modules.removeLast()
        #expect("\(read)" == "\(plain)")
    }

    @Test("A value is in a comment in the form that the relay accepts")
    func showsValuesAsTheyAreTaken() {
        let text = ConfigurationExample.text(of: .relay)
        #expect(text.contains(" true or false.") && text.contains(" accepted or refused."))
        for wrong in ["True or false", "Accepted or refused", "Merchant."] { #expect(!text.contains(wrong)) }
    }

    @Test func describesEachSetting() {
        for setting in SettingCatalog.relay.all {
            let end = setting.summary.last
            #expect(end == "." && setting.summary.count > 20 && !setting.summary.contains("|"), "\(setting.key)")
        }
    }
}
