public import ApplePayToken
public import ArgumentParser
import CommandLineParts
import Foundation
import PayrelayPrimitives
public import TokenMint

struct TokenMintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint", abstract: "Mint sandbox tokens, for tests and load.",
        discussion: "They differ from Apple's in nothing but the root: a relay has to trust certs/sandbox/root-ca.pem.")

    @Option(help: "In the currency's own unit: 100.00.")
    var amount: String

    @OptionGroup var unit: AmountUnit

    @Option(help: "ISO 4217, three letters.")
    var currency: String

    @Option(help: "One of \(CardNetwork.allCases.map(\.rawValue).joined(separator: ", ")).")
    var network = CardNetwork.visa

    @Option(help: "The SHA-256 of the payment request's applicationData, as hex.")
    var applicationData: HexText?

    @Option(help: "EC_v1, or RSA_v1, which verifies but which FORT does not take.")
    var version = PaymentToken.Version.ecV1

    @Option(help: "How many.")
    var count = 1

    @Option(help: "A folder to write them to, one file each; without it, one token goes to standard output.")
    var out: String?

    func validate() throws {
        guard count > 0 else { throw UsageError("--count must be more than 0") }
        guard Currency(code: currency) != nil else {
            throw UsageError("--currency \(currency) is not known")
        }
        guard try minorUnits() > 0 else { throw UsageError("--amount must be more than 0") }
        guard count == 1 || out != nil else { throw UsageError("--count needs --out") }
    }

    func run() throws {
        let mint = try mint()
        guard let out else {
            say(String(decoding: try mint().encoded(), as: UTF8.self))
            return
        }
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let digits = String(count).count
        for number in 1...count {
            let padded = String(repeating: "0", count: digits - String(number).count) + String(number)
            let file = URL(fileURLWithPath: out).appendingPathComponent("token-\(padded).json")
            try Data(mint().encoded()).write(to: file)
        }
    }

    private func minorUnits() throws(UsageError) -> Int {
        try unit.amount(amount, "--amount", in: Currency(code: currency)).value
    }

    /// Returns a function that mints a token at each call, signed at the time of the call.
    private func mint() throws -> () throws -> JSON {
        let contents = TokenContents(amount: try minorUnits(), currency: currency, network: network)
        let digest = applicationData?.bytes
        switch version {
        case .ecV1:
            let mint = TokenMint()
            return { try mint.mint(contents, applicationData: digest, signedAt: Date()) }
        case .rsaV1:
            let mint = try RSATokenMint()
            return { try mint.mint(contents, applicationData: digest, signedAt: Date()) }
        }
    }
}

extension PaymentToken.Version: ExpressibleByArgument {}

extension CardNetwork: ExpressibleByArgument {}
