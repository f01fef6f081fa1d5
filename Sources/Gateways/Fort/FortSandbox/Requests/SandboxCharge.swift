import ApplePayToken
import FortAPI
import FoundationEssentials
import PayrelayPrimitives
import TokenMint

/// An AUTHORIZATION or PURCHASE whose parameters are within FORT's limits.
struct SandboxCharge {
    let command: FortCommand
    let merchantReference: String
    let merchantIdentifier: String
    /// The amount in minor units of `currency`.
    let amount: Int
    let currency: String
    let outcome: SandboxOutcome
    /// FORT's name of the card's scheme.
    let paymentOption: String
    /// Apple's transaction identifier in the token, in lower case; empty if a stored card pays, because it may
    /// pay again.
    let transactionIdentifier: String
    /// The SDK token that the charge uses up; `nil` for a request from the merchant's server.
    let sdkToken: String?
    /// The stored card that the request names in addition to its token; `nil` if it names none.
    private(set) var tokenName: String?
    /// Whether a request of the SDK asks to store the card.
    private(set) var remembersCard = false
    /// The stored card that pays; `nil` if the request contains the card or an Apple Pay token.
    let storedCard: StoredCard?
    /// The card's number: that in the decrypted token, or the scheme's first test card.
    private(set) var cardNumber: String
    private let parameters: JSONObject

    /// Validates a request from the merchant's server with an Apple Pay token.
    init(_ parameters: JSONObject, command: FortCommand, for account: FortAccount) throws(FailureResponse) {
        guard Self.hasWholeToken(parameters) else { throw FailureResponse(status: "00", message: "001") }
        let texts = try SandboxParameters(
            parameters, of: command, mandatory: Self.mandatory, optional: FortField.all.map(\.name)
        ).texts
        try self.init(parameters, texts, command, Self.appleNetwork(in: parameters), sdkToken: nil, account)
        tokenName = texts["token_name"]
    }

    /// Validates a request of FORT's mobile SDK, by the tables of the SDK's operations. The card comes from an
    /// Apple Pay token, or the customer entered it in the SDK. The sandbox does not see an entered card, and
    /// trusts the request's `payment_option`.
    ///
    /// - Parameters:
    ///   - token: the SDK token, which the caller has looked up.
    ///   - card: the stored card that `token_name` names; `nil` if it names none.
    init(
        sdk parameters: JSONObject, command: FortCommand, token: String, card: SandboxToken?, for account: FortAccount
    ) throws(FailureResponse) {
        let isApplePay = parameters["digital_wallet"] != nil
        guard !isApplePay || Self.hasWholeToken(parameters) else { throw FailureResponse(status: "00", message: "001") }
        let fields = isApplePay ? FortField.ofSdkApplePay + FortField.all : FortField.ofSdkOperation
        let texts = try SandboxParameters(
            parameters, of: command,
            mandatory: FortField.ofSdkOperation.filter(\.isMandatory).map(\.name) + ["device_id"],
            optional: fields.map(\.name), fields: fields + FortField.ofOperations
        ).texts
        let option = isApplePay ? Self.appleNetwork(in: parameters) : card?.paymentOption ?? texts["payment_option"]
        try self.init(parameters, texts, command, option ?? "VISA", sdkToken: token, account)
        tokenName = texts["token_name"]
        remembersCard = texts["remember_me"] == "YES"
    }

    /// The card of an earlier payment, as a recurring payment names it.
    struct StoredCard {
        let tokenName: String
        /// The agreement that the request names; `nil` if it names none. It must be the card's agreement.
        let agreementID: String?
    }

    /// Validates a recurring payment, which charges a stored card without the customer.
    init(recurring parameters: JSONObject, command: FortCommand, for account: FortAccount) throws(FailureResponse) {
        let fields = FortField.ofRecurring.filter { $0.name != "command" }
        let texts = try SandboxParameters(
            parameters, of: command, mandatory: fields.filter(\.isMandatory).map(\.name),
            optional: fields.filter { !$0.isMandatory }.map(\.name), fields: fields
        ).texts
        // APS's page says: "Only PURCHASE is supported for recurring payments".
        guard command == .purchase else { throw FailureResponse(status: "00", message: "033") }
        try self.init(
            parameters, texts, command, texts["payment_option"] ?? "", sdkToken: nil, account,
            storedCard: StoredCard(tokenName: texts["token_name"] ?? "", agreementID: texts["agreement_id"]))
    }

    /// Returns whether a request from the merchant's server is a recurring payment: it names no wallet, and its
    /// `eci` is RECURRING.
    static func isRecurring(_ parameters: JSONObject) -> Bool {
        parameters["digital_wallet"] == nil && parameters["eci"] == "RECURRING"
    }

    private init(
        _ parameters: JSONObject, _ texts: [String: String], _ command: FortCommand, _ paymentOption: String,
        sdkToken: String?, _ account: FortAccount, storedCard: StoredCard? = nil
    ) throws(FailureResponse) {
        self.command = command
        amount = texts["amount"].flatMap { Int($0) } ?? 0
        currency = texts["currency"] ?? ""
        merchantReference = texts["merchant_reference"] ?? ""
        merchantIdentifier = texts["merchant_identifier"] ?? ""
        self.paymentOption = paymentOption
        self.sdkToken = sdkToken
        self.storedCard = storedCard
        let appleIdentifier = parameters["apple_header"]?["apple_transactionId"]?.stringValue?.lowercasedASCII
        transactionIdentifier = appleIdentifier ?? sdkToken.map { "sdk_token \($0)" } ?? ""
        outcome =
            VisaRounding.isMissing(in: amount, currency, paidWith: paymentOption)
            ? .declined(message: "666")
            : SandboxOutcome(of: command, amount: amount, merchantReference: merchantReference)
        cardNumber = TestCards.number(of: paymentOption)
        self.parameters = parameters
        try PaymentOptionRules.check(
            paymentOption, command, eci: texts["eci"], authorizesMada: account.authorizesMada)
    }

    /// Whether the customer agrees to recurring payments with this payment.
    var asksForAgreement: Bool { parameters["recurring_mode"].map { $0 != "" } ?? false }

    /// FORT's `customer_name`; `nil` if the request does not have it.
    var customerName: String? { parameters["customer_name"]?.stringValue }

    /// Whether an Apple Pay token pays.
    var hasAppleToken: Bool { parameters["digital_wallet"] != nil }

    private static func appleNetwork(in parameters: JSONObject) -> String {
        (parameters["apple_paymentMethod"]?["apple_network"]?.stringValue ?? "").uppercasedASCII
    }

    private static let mandatory =
        ["digital_wallet"] + FortField.ofOrder.filter { $0.isMandatory }.map(\.name)

    /// Returns whether the request has every mandatory part of the token, at the top level or in the part's
    /// object.
    private static func hasWholeToken(_ parameters: JSONObject) -> Bool {
        let objects = [parameters] + ["apple_header", "apple_paymentMethod"].compactMap { parameters[$0]?.objectValue }
        return FortField.all.allSatisfy { field in
            field.origin != .token || !field.isMandatory || objects.contains { $0[field.name] != nil }
        }
    }

    /// Decrypts the token with the merchant's key, and compares the amount and currency that the customer agreed
    /// to with those of the request.
    ///
    /// A changed token, or a token for another certificate, gets FORT's unspecific "Failed to execute service"
    /// (099).
    ///
    /// - Parameter oldest: the earliest accepted signing time. Older tokens have expired.
    mutating func holdAgainstToken(of pki: SandboxPKI, signedSince oldest: Date) throws(FailureResponse) {
        guard let token = try? PaymentToken(json: ["paymentData": applePaymentData]),
            let agreed = try? pki.open(token),
            let signingTime = TokenInspection.signingTime(of: token)
        else { throw FailureResponse(status: "00", message: "099") }
        guard signingTime >= oldest else { throw FailureResponse(status: "00", message: "102") }
        guard agreed.transactionAmount == amount else {
            throw FailureResponse(
                status: "00", message: "005",
                detail: "The token is for \(agreed.transactionAmount), the request for \(amount).")
        }
        guard agreed.currencyCode == Currency(code: currency)?.numericCode else {
            throw FailureResponse(status: "00", message: "013", detail: "The token is for another currency.")
        }
        cardNumber = TestCards.number(of: paymentOption, token: agreed.applicationPrimaryAccountNumber)
    }

    /// The token's `paymentData`, reassembled from FORT's parameters.
    private var applePaymentData: JSON {
        let sent = parameters["apple_header"]
        var header = JSONObject()
        header["ephemeralPublicKey"] = sent?["apple_ephemeralPublicKey"]
        header["publicKeyHash"] = sent?["apple_publicKeyHash"]
        header["transactionId"] = sent?["apple_transactionId"]
        header["applicationData"] = parameters["apple_applicationData"]
        return [
            "version": "EC_v1", "data": parameters["apple_data"] ?? .null,
            "signature": parameters["apple_signature"] ?? .null, "header": .object(header),
        ]
    }
}
