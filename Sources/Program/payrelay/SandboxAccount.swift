import FortAPI
import FortSandbox
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
    private static let currencies = Set(["UAH"].compactMap(Currency.init(code:)))

    static func sandbox() -> PortmoneSandbox {
        PortmoneSandbox(accounts: [
            PortmoneSandboxAccount(
                payeeId: payeeID, login: login, password: Secret(password), appleMerchantIdentifier: appleMerchantID,
                currencies: currencies)
        ])
    }

    /// A relay's Portmone.
    static func module(at address: SandboxAddress) throws -> PortmoneModule {
        let account = try PortmoneAccount(
            payeeID: payeeID, login: login, password: Secret(password), appleMerchantID: appleMerchantID,
            preauthorization: .onRequest)
        return PortmoneModule(
            accounts: try PortmoneAccounts([.init(name: "portmone", currencies: currencies, account: account)]),
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
        export PAYRELAY_PORTMONE_CURRENCIES=UAH

        """
    }
}
