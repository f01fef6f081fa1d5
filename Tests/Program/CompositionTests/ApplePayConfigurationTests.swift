import ApplePaySession
import Composition
import FortModule
import Foundation
import OutboundHTTP
import Settings
import TestPrograms
import Testing
import TokenMint

/// The settings of Apple Pay on the web.
@Suite struct ApplePayConfigurationTests {
    private let folder: TemporaryFolder
    private let complete: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        try SessionPKI(merchantIdentifier: "merchant.a").write(to: folder.path)
        complete = [
            "PAYRELAY_APPLE_PAY_MERCHANT_IDENTIFIER": "merchant.a", "PAYRELAY_APPLE_PAY_DISPLAY_NAME": "Shop",
            "PAYRELAY_APPLE_PAY_DOMAINS": "shop.example, Pay.shop.example",
            "PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE": folder.path("merchant.pem"),
            "PAYRELAY_APPLE_PAY_IDENTITY_KEY_FILE": folder.path("merchant.key"),
        ]
    }

    private func read(_ settings: [String: String]) throws -> RelayConfiguration {
        let environment = RelayConfigurationTests.account.merging(settings) { $1 }
        return try RelayConfiguration(ConfigurationSources(environment: environment))
    }

    private func read(completeWith more: [String: String] = [:]) throws -> SessionSettings? {
        try read(complete.merging(more) { $1 }).applePaySessions
    }

    private func errors(_ settings: [String: String]) -> [String] {
        #expect(throws: ConfigurationError.self) { try read(settings) }?.errors.map(\.description) ?? []
    }

    private func errors(completeWith more: [String: String]) -> [String] {
        errors(complete.merging(more) { $1 })
    }

    @Test func isOffWithoutSettings() throws {
        #expect(try read([:]).applePaySessions == nil)
        #expect(try read([:]).applePayDomainFile == nil)
    }

    @Test func readsTheMerchantAndItsIdentity() throws {
        let settings = try #require(try read())
        #expect(settings.merchant.identifier == "merchant.a")
        #expect(settings.merchant.displayName.text == "Shop")
        #expect(settings.merchant.domains.map(\.name) == ["shop.example", "pay.shop.example"])
        #expect(settings.gateway == .production)
        #expect(settings.caFile == nil)
        #expect(settings.identities.merchantIdentifier == "merchant.a")
        #expect(settings.identities.all.map(\.certificateFile) == [folder.path("merchant.pem")])
    }

    @Test func requiresTheOthersWithOne() {
        for (name, value) in complete {
            let found = errors([name: value])
            for other in complete.keys where other != name {
                #expect(found.contains("\(other) is missing"), "\(found)")
            }
            #expect(found.count == complete.count - 1)
        }
    }

    @Test func refusesAnotherMerchantsCertificate() {
        #expect(
            errors(completeWith: ["PAYRELAY_APPLE_PAY_MERCHANT_IDENTIFIER": "merchant.b"]) == [
                "PAYRELAY_APPLE_PAY_MERCHANT_IDENTIFIER is merchant.b, but the certificate in \(folder.path)/merchant.pem was "
                    + "issued for merchant.a"
            ])
    }

    @Test func namesAnUnusableIdentity() {
        let found = errors(completeWith: ["PAYRELAY_APPLE_PAY_IDENTITY_KEY_FILE": folder.path("ca.pem")])
        #expect(found.count == 1 && found[0].contains("\(folder.path)/ca.pem holds no private key"))
    }

    @Test(arguments: [
        ("PAYRELAY_APPLE_PAY_DISPLAY_NAME", String(repeating: "x", count: 65)),
        ("PAYRELAY_APPLE_PAY_DOMAINS", "shop.example,https://pay.shop.example"),
        ("PAYRELAY_APPLE_PAY_DOMAINS", "shop.example,"), ("PAYRELAY_APPLE_PAY_SANDBOX", "yes"),
        ("PAYRELAY_APPLE_PAY_SESSION_HOST", "apple-pay-gateway.evil.com"),
        ("PAYRELAY_APPLE_PAY_SESSION_HOST", "192.0.2.1:443"),
        ("PAYRELAY_APPLE_PAY_SESSION_CA_FILE", "/etc/ca.pem"),
        ("PAYRELAY_APPLE_PAY_DOMAIN_FILE", "/no/such/file"),
    ])
    func aValueThatIsWrongIsNamed(name: String, value: String) {
        let found = errors(completeWith: [name: value])
        #expect(found.count == 1 && found[0].hasPrefix(name + " "), "\(found)")
    }

    @Test func usesApplesSandboxOnRequest() throws {
        #expect(try read(completeWith: ["PAYRELAY_APPLE_PAY_SANDBOX": "true"])?.gateway == .sandbox)
        #expect(try read(completeWith: ["PAYRELAY_APPLE_PAY_SANDBOX": "false"])?.gateway == .production)
    }

    @Test func allowsALoopbackSessionHost() throws {
        let settings = try read(completeWith: [
            "PAYRELAY_APPLE_PAY_SESSION_HOST": "localhost:8083",
            "PAYRELAY_APPLE_PAY_SESSION_CA_FILE": folder.path("ca.pem"),
        ])
        #expect(settings?.gateway == SessionGateway(loopback: "localhost:8083"))
        #expect(settings?.caFile == folder.path("ca.pem"))
    }

    /// The domain file is needed before there is a certificate.
    @Test func readsTheDomainFileAlone() throws {
        let path = folder.path("ca.pem")
        let content = try read(["PAYRELAY_APPLE_PAY_DOMAIN_FILE": path]).applePayDomainFile
        #expect(try content == Array(Data(contentsOf: URL(filePath: path))))
    }
}
