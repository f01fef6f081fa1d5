public import PayrelayPrimitives

/// An order to pay: the body of `POST /v1/payments` without the token (`PaymentRequest` in openapi.yaml).
///
/// Its description shows the reference, the command and the amount, but nothing about the customer.
///
/// ```swift
/// let order = Order("ORDER-1001", amount: 10_000, currency: .AED, customerEmail: "sara@example.com")  // 100.00 AED
/// ```
public struct Order: Sendable, Hashable, Redacted {
    /// The merchant's reference of the order: 1 to 40 letters, digits, dots, underscores and hyphens. It
    /// identifies the order: two requests with the same reference never charge twice.
    public var merchantReference: String
    /// Whether the money is authorized only, or also captured.
    public var command: PaymentCommand
    /// The amount in minor units of ``currency``.
    public var amount: MinorUnits
    /// The ISO 4217 currency.
    public var currency: Currency
    /// The language of FORT's texts for the customer.
    public var language: PaymentLanguage
    /// The customer's email address.
    public var customerEmail: String
    /// The customer's IPv4 or IPv6 address. If it is `nil`, the relay uses the client's address. For a request
    /// with an order token, set it only if the token pins it.
    public var customerIP: String?
    /// The customer's name; at most 40 characters.
    public var customerName: String?
    /// The customer's phone number; at most 19 characters.
    public var phoneNumber: String?
    /// The description of the order; at most 150 characters.
    public var orderDescription: String?
    /// The text on the cardholder's statement; at most 50 characters.
    public var statementDescriptor: String?
    /// A reference for the acquirer's settlement file; at most 34 letters, digits, dots, underscores and hyphens.
    public var settlementReference: String?
    /// `MASTERCARD`, `VISA`, `MADA` or `AMEX` (FORT's `payment_option`). A card of another network is rejected.
    public var paymentOption: String?
    /// FORT's name of a card that it stored with an earlier payment; at most 100 characters.
    public var tokenName: String?
    /// The fingerprint from FORT's fraud check on the device.
    public var deviceFingerprint: String?
    /// The SHA-256 of the payment request's `applicationData`, in 64 hexadecimal digits. The relay compares it
    /// with the token's hash.
    public var applicationDataHash: String?
    /// The operator's name of the FORT account to use.
    public var account: String?
    /// `ECOMMERCE` (FORT's `eci`).
    public var eci: String?
    /// `UNSCHEDULED` (FORT's `recurring_mode`).
    public var recurringMode: String?
    /// FORT's `merchant_extra` and `merchant_extra1` to `merchant_extra5`.
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
    ///   - amount: the amount in minor units of the currency; `MinorUnits(_:_:)` converts a `Decimal`.
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

    /// Returns the request's body in UTF-8 JSON. The same order and token always give the same bytes.
    public func body(with token: AppleToken) -> [UInt8] {
        json(with: token).encoded()
    }

    /// Returns the request's body, with its members in the order of the example in openapi.yaml.
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
