import Composition
import Foundation
import GatewayModule
import Settings
import TestPrograms
import Testing

@testable import payrelay

@Suite struct SafetyCheckTests {
    @Test(
        "Another root of tokens than Apple's fails in production, and nowhere else", arguments: [true, false],
        [true, false])
    func trustAnchor(isProduction: Bool, isApples: Bool) throws {
        var environment = [
            "PAYRELAY_FORT_ACCESS_CODE": "ACCESS", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "MERCHANT",
            "PAYRELAY_FORT_REQUEST_PHRASE": "REQ", "PAYRELAY_FORT_RESPONSE_PHRASE": "RES",
        ]
        if isProduction {
            environment["PAYRELAY_FORT_ENDPOINT"] = "https://paymentservices.payfort.com/FortAPI/paymentApi"
        }
        if !isApples {
            environment["PAYRELAY_TOKEN_TRUST_ANCHOR_FILE"] = Project.url("certs/sandbox/root-ca.pem").path
        }
        let configuration = try RelayConfiguration(ConfigurationSources(environment: environment))
        let diagnostic = SafetyCheck(configuration).diagnostics.first { $0.check == "token-verification" }
        let expected = isProduction && !isApples ? Diagnostic.Verdict.fail : .pass
        #expect(diagnostic?.verdict == expected, "\(diagnostic?.detail ?? "")")
    }
}
