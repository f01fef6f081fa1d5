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
    /// In minor units of `currency`.
    let amount: Int
    let currency: String
    let outcome: SandboxOutcome
    /// FORT's name of the card's scheme.
    let paymentOption: String
    /// Apple's name of the payment that the token is for, in lower case; empty where a stored card pays, which may pay again.
    let transactionIdentifier: String
    /// The SDK token that it uses up; nil for a request of the merchant's own.
    let sdkToken: String?
    /// The saved card that a request names beside its token; nil where it names none.
    private(set) var tokenName: String?
    /// Whether a request of the SDK has the card saved.
    private(set) var remembersCard = false
    /// The stored card that pays; nil for a card, or a token, that comes with the request.
    let storedCard: StoredCard?
    /// The number of the card, from the token that was opened, or the scheme's first test card.
    private(set) var cardNumber: String
    private let parameters: JSONObject

    /// A request of the merchant's own, with an Apple Pay token.
    init(_ parameters: JSONObject, command: FortCommand, for account: FortAccount) throws(FailureResponse) {
        guard Self.hasWholeToken(parameters) else { throw FailureResponse(status: "00", message: "001") }
        let texts = try SandboxParameters(
            parameters, of: command, mandatory: Self.mandatory, optional: FortField.all.map(\.name)
        ).texts
        try self.init(parameters, texts, command, Self.appleNetwork(in: parameters), sdkToken: nil, account)
        tokenName = texts["token_name"]
    }

    /// A request of FORT's mobile SDK, whose order is the table of the SDK's operations. Its card is that of an Apple Pay token,
    /// or one that the customer entered in the SDK: of that the sandbox sees nothing, and takes `payment_option` for its word.
    ///
    /// - Parameters:
    ///   - token: the SDK token, already looked up.
    ///   - card: the saved card that `token_name` names; nil where it names none.
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
        /// Must be the card's own where it is sent.
        let agreementID: String?
    }

    /// A recurring payment: without the customer, by a stored card.
    init(recurring parameters: JSONObject, command: FortCommand, for account: FortAccount) throws(FailureResponse) {
        let fields = FortField.ofRecurring.filter { $0.name != "command" }
        let texts = try SandboxParameters(
            parameters, of: command, mandatory: fields.filter(\.isMandatory).map(\.name),
            optional: fields.filter { !$0.isMandatory }.map(\.name), fields: fields
        ).texts
        // "Only PURCHASE is supported for recurring payments", says APS's page.
        guard command == .purchase else { throw FailureResponse(status: "00", message: "033") }
        try self.init(
            parameters, texts, command, texts["payment_option"] ?? "", sdkToken: nil, account,
            storedCard: StoredCard(tokenName: texts["token_name"] ?? "", agreementID: texts["agreement_id"]))
    }

    /// Whether a request is a recurring payment: of the merchant's own requests, those without a wallet are.
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

    /// Whether the customer agrees with it to recurring payments.
    var asksForAgreement: Bool { parameters["recurring_mode"].map { $0 != "" } ?? false }

    /// FORT's `customer_name`, where the request has it.
    var customerName: String? { parameters["customer_name"]?.stringValue }

    /// Whether Apple's token pays.
    var hasAppleToken: Bool { parameters["digital_wallet"] != nil }

    private static func appleNetwork(in parameters: JSONObject) -> String {
        (parameters["apple_paymentMethod"]?["apple_network"]?.stringValue ?? "").uppercasedASCII
    }

    private static let mandatory =
        ["digital_wallet"] + FortField.ofOrder.filter { $0.isMandatory }.map(\.name)

    /// Whether every mandatory part of the token is there, at top level or in its object.
    private static func hasWholeToken(_ parameters: JSONObject) -> Bool {
        let objects = [parameters] + ["apple_header", "apple_paymentMethod"].compactMap { parameters[$0]?.objectValue }
        return FortField.all.allSatisfy { field in
            field.origin != .token || !field.isMandatory || objects.contains { $0[field.name] != nil }
        }
    }

    /// Decrypts the token with the merchant's key and compares what the customer agreed to with what is asked for.
    ///
    /// A token for another certificate, or a changed one, is FORT's unexplained "Failed to execute service".
    ///
    /// - Parameter oldest: tokens that were signed before have expired.
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

    /// The token's `paymentData`, put together again from FORT's parameters.
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
