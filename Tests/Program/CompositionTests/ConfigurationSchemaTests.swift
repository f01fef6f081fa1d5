import Composition
import FortModule
import Foundation
import PayrelayPrimitives
import Settings
import TestPrograms
import Testing

/// The schema and the reader agree on the allowed contents of a configuration file.
@Suite struct ConfigurationSchemaTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func isRead(_ yaml: String) throws -> Bool {
        let path = try folder.file("\(UUID().uuidString).yaml", yaml)
        // The account is in the environment, so that only the file can be wrong.
        let environment = yaml.contains("fort:") ? [:] : RelayConfigurationTests.account
        do throws(ConfigurationError) {
            _ = try RelayConfiguration(ConfigurationSources(environment: environment, file: path))
            return true
        } catch {
            return false
        }
    }

    private static let account = "access_code: AAAA, merchant_identifier: MMMM, response_phrase: RES"

    @Test(arguments: [
        "", "http: {port: 0}", "http:\n  hosts: [pay.example, pay2.example]", "http:\n  hosts:\n    - pay.example",
        "http: {hosts: 'pay.example, pay2.example'}", "http:", "http: {port: null}", "journal: 'memory:'",
        "apple_pay: {domain_file: null}", "fort: {\(account), request_phrase: REQ}", "token: {verification: 'off'}",
        "fort: {accounts: {uae: {\(account), request_phrase: REQ, currencies: [AED, OMR]}}}",
    ])
    func acceptTheSame(yaml: String) throws {
        #expect(try SchemaCheck(ConfigurationSchema.json(of: .relay)).errors(in: JSON(yaml: yaml)) == [])
        #expect(try isRead(yaml))
    }

    @Test(arguments: [
        "http: {prot: 1}", "htpp: {port: 1}", "http: {port: 65536}", "http: {port: -1}", "http: {port: eighty}",
        "http: {port: [1]}", "http: {port: {a: 1}}", "http: 8080", "[http]", "token: {verification: maybe}",
        "token: {sandbox_signers: [refused]}", "apple_pay: {sandbox: perhaps}", "http: {hosts: ['a,b']}",
        "http: {hosts: [[a]]}", "http: {hosts: ['']}", "http.port: 8080", "jwt: {keys_url: 'ftp://keys.example'}",
        "fort: {\(account), request_phrase: REQ, request_phrase_file: /x}", "fort: {access_code: a b}",
        "fort: {accounts: {uae: {access_cod: AAAA}}}", "fort: {accounts: [uae]}", "fort: {accounts: {a.b: {}}}",
        "fort: {currencies: AED}", "config: x.yaml", "journal: 7",
    ])
    func refuseTheSame(yaml: String) throws {
        #expect(try SchemaCheck(ConfigurationSchema.json(of: .relay)).errors(in: JSON(yaml: yaml)) != [])
        #expect(try !isRead(yaml))
    }

    @Test func hasEverySettingWithItsDefault() throws {
        let schema = ConfigurationSchema.json(of: .relay)
        #expect(schema["additionalProperties"] == false)
        #expect(schema["properties"]?["http"]?["additionalProperties"] == false)
        let port = try #require(schema["properties"]?["http"]?["properties"]?["port"])
        #expect(port["default"] == 8080 && port["minimum"] == 0 && port["maximum"] == 65_535)
        #expect(schema["properties"]?["apple_pay"]?["properties"]?["sandbox"]?["default"] == false)
        #expect(schema["properties"]?["fort"]?["properties"]?["request_phrase_file"] != nil)
        for setting in SettingCatalog.relay.all {
            let place = setting.key.split(separator: ".").reduce(Optional(schema)) { $0?["properties"]?[String($1)] }
            #expect(place?["description"]?.stringValue?.hasPrefix(setting.summary) == true, "\(setting.key)")
        }
    }
}
