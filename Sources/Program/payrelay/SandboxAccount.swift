import CommandLineParts
import FortAPI
import FortSandbox
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import PortmoneAPI
import PortmoneModule
import PortmoneSandbox
import TokenMint

/// The sandbox's FORT account. It is public: its signatures protect nothing.
enum SandboxAccount {
    static let accessCode = "SANDBOXACCESSCODE001"
    static let merchantIdentifier = "SANDBOX001"
    static let requestPhrase = "sandbox-request-phrase"
    static let responsePhrase = "sandbox-response-phrase"

    /// The account as settings of a relay, for a shell. Ends in a line break.
    static let exports = """
        export PAYRELAY_FORT_ACCESS_CODE=\(accessCode)
        export PAYRELAY_FORT_MERCHANT_IDENTIFIER=\(merchantIdentifier)
        export PAYRELAY_FORT_REQUEST_PHRASE=\(requestPhrase)
        export PAYRELAY_FORT_RESPONSE_PHRASE=\(responsePhrase)

        """

    /// The root of the sandbox's tokens: in this folder, beside the program in its source, or where the package has it; else as in the
    /// source.
    static var anchorFile: String {
        let file = "certs/sandbox/root-ca.pem"
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let source = sequence(first: program) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }.map {
            $0.appending(path: file).path
        }
        let places = [absolutePath(file)] + source + [program.path + "/../share/doc/payrelay/" + file]
        return places.first { FileManager.default.fileExists(atPath: $0) }.map(absolutePath) ?? file
    }

    static func fortAccount() throws -> FortAccount {
        try FortAccount(
            accessCode: accessCode, merchantIdentifier: merchantIdentifier, requestPhrase: Secret(requestPhrase),
            responsePhrase: Secret(responsePhrase))
    }
}

/// The sandbox's Portmone account, for orders in hryvnias. It is public, too.
enum PortmoneSandboxShop {
    private static let payeeID = "1185"
    private static let login = "SANDBOX"
    private static let password = "sandbox-password"
    private static let appleMerchantID = SandboxPKI.published.merchantIdentifier
    static let currency = Currency.UAH

    static func sandbox() -> PortmoneSandbox {
        PortmoneSandbox(accounts: [
            PortmoneSandboxAccount(
                payeeId: payeeID, login: login, password: Secret(password), appleMerchantIdentifier: appleMerchantID,
                currencies: [currency])
        ])
    }

    /// A relay's Portmone.
    static func module(at address: SandboxAddress) throws -> PortmoneModule {
        let account = try PortmoneAccount(
            payeeID: payeeID, login: login, password: Secret(password), appleMerchantID: appleMerchantID,
            preauthorization: .onRequest)
        return PortmoneModule(
            accounts: try PortmoneAccounts([.init(name: "portmone", currencies: [currency], account: account)]),
            at: PortmoneEndpoint(address.endpoint))
    }

    /// The account as settings of a relay, for a shell. Ends in a line break.
    static func exports(at address: SandboxAddress) -> String {
        """
        export PAYRELAY_PORTMONE_ENDPOINT=\(address.endpoint)
        export PAYRELAY_PORTMONE_PAYEE_ID=\(payeeID)
        export PAYRELAY_PORTMONE_LOGIN=\(login)
        export PAYRELAY_PORTMONE_PASSWORD=\(password)
        export PAYRELAY_PORTMONE_APPLE_MERCHANT_ID=\(appleMerchantID)
        export PAYRELAY_PORTMONE_PREAUTHORIZATION=on_request
        export PAYRELAY_PORTMONE_CURRENCIES=\(currency.code)

        """
    }
}
