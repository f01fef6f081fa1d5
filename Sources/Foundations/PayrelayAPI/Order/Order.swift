public import PayrelayPrimitives

/// An order to pay: the body of `POST /v1/payments` without the token (`PaymentRequest` in openapi.yaml).
///
/// A description of it shows the reference, the command and the amount, and nothing of the customer.
///
/// ```swift
/// let order = Order("ORDER-1001", amount: 10_000, currency: .AED, customerEmail: "sara@example.com")  // 100.00 AED
/// ```
public struct Order: Sendable, Hashable, Redacted {
    /// The merchant's name of the order, 1 to 40 letters, digits, dots, underscores and hyphens. It is the order's
    /// identity: two requests with the same reference never charge twice.
    public var merchantReference: String
    /// Whether the money is held or taken.
    public var command: PaymentCommand
    /// In minor units of ``currency``.
    public var amount: MinorUnits
    /// The currency of ISO 4217.
    public var currency: Currency
    /// The language of FORT's texts for the customer.
    public var language: PaymentLanguage
    /// The customer's email address.
    public var customerEmail: String
    /// IPv4 or IPv6. If nil, the relay takes the client's address. An order token pins it, or it stays nil.
    public var customerIP: String?
    /// At most 40 characters.
    public var customerName: String?
    /// At most 19 characters.
    public var phoneNumber: String?
    /// At most 150 characters.
    public var orderDescription: String?
    /// Text on the cardholder's statement; at most 50 characters.
    public var statementDescriptor: String?
    /// For the acquirer's settlement file; at most 34 letters, digits, dots, underscores and hyphens.
    public var settlementReference: String?
    /// `MASTERCARD`, `VISA`, `MADA` or `AMEX` (FORT's `payment_option`): a card of another network is refused.
    public var paymentOption: String?
    /// FORT's name of a card that it stored at an earlier payment; at most 100 characters.
    public var tokenName: String?
    /// From FORT's fraud check on the device.
    public var deviceFingerprint: String?
    /// SHA-256 of the payment request's `applicationData`, 64 hexadecimal digits. The relay compares it with the token's.
    public var applicationDataHash: String?
    /// Which of the merchant's FORT accounts is to be used, by the operator's name for it.
    public var account: String?
    /// `ECOMMERCE` (FORT's `eci`).
    public var eci: String?
    /// `UNSCHEDULED` (FORT's `recurring_mode`).
    public var recurringMode: String?
    /// FORT's `merchant_extra`, then `merchant_extra1` to `merchant_extra5`, by their names.
    public var merchantExtra: [MerchantExtra: String] = [:]

    /// FORT's fields for the merchant's own data.
    public enum MerchantExtra: String, Sendable, Hashable, CaseIterable {
        /// At most 999 characters.
        case extra = "merchant_extra"
        /// At most 250 characters.
        case extra1 = "merchant_extra1"
        /// At most 250 characters.
        case extra2 = "merchant_extra2"
        /// At most 250 characters.
        case extra3 = "merchant_extra3"
        /// At most 250 characters.
        case extra4 = "merchant_extra4"
        /// At most 250 characters.
        case extra5 = "merchant_extra5"
    }

    /// - Parameters:
    ///   - merchantReference: see ``merchantReference``.
    ///   - amount: in minor units of the currency; `MinorUnits(_:_:)` makes it of a `Decimal`.
    public init(
        _ merchantReference: String, amount: MinorUnits, currency: Currency, command: PaymentCommand = .purchase,
        language: PaymentLanguage = .english, customerEmail: String
    ) {
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.command = command
        self.language = language
        self.customerEmail = customerEmail
    }

    /// The request's body: UTF-8 JSON. The same order and token give the same bytes.
    public func body(with token: AppleToken) -> [UInt8] {
        json(with: token).encoded()
    }

    /// The request's body, members in the order of openapi.yaml's example.
    public func json(with token: AppleToken) -> JSON {
        var json: JSONObject = [
            PaymentField.command: .string(command.rawValue),
            PaymentField.merchantReference: .string(merchantReference),
            PaymentField.amount: JSON(amount),
            PaymentField.currency: .string(currency.code),
            PaymentField.language: .string(language.rawValue),
            PaymentField.customerEmail: .string(customerEmail),
        ]
        for (name, text) in optionalTexts { json[name] = text.map { .string($0) } }
        json[PaymentField.token] = token.json
        return .object(json)
    }

    private var optionalTexts: [(String, String?)] {
        [
            (PaymentField.customerIP, customerIP),
            (PaymentField.customerName, customerName),
            (PaymentField.phoneNumber, phoneNumber),
            (PaymentField.orderDescription, orderDescription),
            (PaymentField.statementDescriptor, statementDescriptor),
            (PaymentField.settlementReference, settlementReference),
            (PaymentField.paymentOption, paymentOption),
            (PaymentField.tokenName, tokenName),
            (PaymentField.deviceFingerprint, deviceFingerprint),
            (PaymentField.applicationDataHash, applicationDataHash),
            (PaymentField.account, account),
            (PaymentField.eci, eci),
            (PaymentField.recurringMode, recurringMode),
        ] + MerchantExtra.allCases.map { ($0.rawValue, merchantExtra[$0]) }
    }

    public var description: String { "\(merchantReference) \(command.rawValue) \(amount) \(currency.code)" }
}
