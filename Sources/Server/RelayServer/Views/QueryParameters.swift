import FoundationEssentials
public import PaymentRelay
public import PayrelayPrimitives

/// A search as clients write it: named parameters. The HTTP API, the command line and the console use the same
/// parameters.
extension PaymentQuery {
    /// The parameters. Each has a description for people.
    public enum Parameter: String, CaseIterable, Sendable {
        case merchantReference = "merchant_reference"
        case merchantReferencePrefix = "merchant_reference_prefix"
        case gatewayReference = "processor_reference"
        case appleTransactionIdentifier = "apple_transaction_identifier"
        case cardLastFour = "card_last_four"
        case customerEmail = "customer_email"
        case phoneNumber = "phone_number"
        case customerName = "customer_name"
        case amount
        case amountFrom = "amount_from"
        case amountTo = "amount_to"
        case currency
        case outcome
        case command
        case responseCode = "response_code"
        case authorizationCode = "authorization_code"
        case cardNetwork = "card_network"
        case gateway = "processor"
        case account
        case client
        case claimedFrom = "claimed_from"
        case claimedTo = "claimed_to"
        case changedFrom = "changed_from"
        case needsAttention = "needs_attention"
        case after
        case limit
    }

    /// Reads parameters.
    ///
    /// - Parameter vocabulary: a gateway's number of a payment may also be given under the name that the gateway
    ///   uses.
    /// - Throws: every parameter that is unknown, repeated or malformed, by name. The details never repeat a
    ///   value.
    public init(
        _ parameters: [(name: String, value: String)], visibleTo: Visibility, knowing vocabulary: AnswerVocabulary
    ) throws(ValidationErrors) {
        self.init(visibleTo: visibleTo)
        var errors: [ValidationError] = []
        var values: [Parameter: String] = [:]
        for (name, value) in parameters.prefix(Self.parametersAtMost) {
            let isReference = vocabulary.references.contains(name)
            guard let parameter = isReference ? .gatewayReference : Parameter(rawValue: name) else {
                errors.append(ValidationError(field: name.beginning(64), detail: "is not a parameter of a search"))
                continue
            }
            if values.updateValue(value, forKey: parameter) != nil {
                errors.append(ValidationError(field: name, detail: "may be given once"))
            }
        }
        if parameters.count > Self.parametersAtMost {
            errors.append(ValidationError(field: "query", detail: "has too many parameters"))
        }
        for parameter in Parameter.allCases where parameter != .after {
            guard let value = values[parameter] else { continue }
            if let detail = read(parameter, value, knowing: vocabulary) {
                errors.append(ValidationError(field: parameter.rawValue, detail: detail))
            }
        }
        let (least, most) = Self.amounts(values)
        if let least, let most {
            if least <= most {
                amounts = least...most
            } else {
                errors.append(
                    ValidationError(field: Parameter.amountTo.rawValue, detail: "must not be less than amount_from"))
            }
        }
        if values[.amount] != nil, values[.amountFrom] != nil || values[.amountTo] != nil {
            errors.append(
                ValidationError(field: Parameter.amount.rawValue, detail: "stands without amount_from and amount_to"))
        }
        if let claimedFrom, let claimedTo, claimedFrom >= claimedTo {
            errors.append(
                ValidationError(field: Parameter.claimedTo.rawValue, detail: "must be later than claimed_from"))
        }
        if let text = values[.after] {
            after = PaymentCursor(text)
            if after == nil {
                errors.append(ValidationError(field: Parameter.after.rawValue, detail: "is not a cursor"))
            }
        }
        try ValidationErrors.throwIfAny(errors)
    }

    private static let parametersAtMost = 64

    /// Reads the value of a parameter.
    ///
    /// - Returns: the problem; `nil` if the value is valid.
    private mutating func read(
        _ parameter: Parameter, _ value: String, knowing vocabulary: AnswerVocabulary
    ) -> String? {
        switch parameter {
        case .merchantReference:
            merchantReference = value
            return Self.isVisible(value, atMost: 40) ? nil : Self.reference
        case .merchantReferencePrefix:
            merchantReferencePrefix = value
            return Self.isVisible(value, atMost: 40) ? nil : Self.reference
        case .gatewayReference:
            gatewayReference = value
            return Self.isVisible(value, atMost: 200) ? nil : "must be 1 to 200 visible ASCII characters"
        case .appleTransactionIdentifier:
            appleTransactionIdentifier = value.lowercasedASCII
            return Self.isVisible(value, atMost: 100) ? nil : "must be 1 to 100 visible ASCII characters"
        case .cardLastFour:
            cardLastFour = value
            return Self.isDigits(value, count: 4...4) ? nil : "must be four digits"
        case .customerEmail:
            emailDigest = EmailDigest(of: value)
            let isEmail = (3...254).contains(value.utf8.count) && value.has("@")
            return isEmail ? nil : "must be an email address of at most 254 bytes"
        case .phoneNumber:
            phoneDigest = value.utf8.count > 254 ? nil : PhoneDigest(of: value)
            return phoneDigest == nil ? "must be a phone number of 8 to 17 digits" : nil
        case .customerName:
            nameDigest = value.utf8.count > 254 ? nil : NameDigest(of: value)
            return nameDigest == nil ? "must be a whole name of at most 254 bytes" : nil
        case .amount, .amountFrom, .amountTo:
            return MinorUnits(parsing: value) == nil ? "must be an amount in minor units, of 1 to 10 digits" : nil
        case .currency:
            currency = value
            return Currency(code: value) == nil ? "must be a currency of ISO 4217, three capital letters" : nil
        case .outcome:
            outcome = PaymentState(rawValue: value)
            return outcome == nil
                ? "must be one of \(PaymentState.allCases.map(\.rawValue).joined(separator: ", "))" : nil
        case .command:
            command = Order.Command(rawValue: value)
            return command == nil ? "must be PURCHASE or AUTHORIZATION" : nil
        case .responseCode:
            responseCode = AnsweredText(value, in: vocabulary.names(\.responseCode))
            return responseCode == nil ? Self.code : nil
        case .authorizationCode:
            authorizationCode = AnsweredText(value, in: vocabulary.names(\.authorizationCode))
            return authorizationCode == nil ? Self.code : nil
        case .cardNetwork:
            cardNetwork = AnsweredText(value, in: vocabulary.names(\.network))
            return cardNetwork == nil ? "must be a network's name, such as Visa: 1 to 40 letters and digits" : nil
        case .gateway:
            gateway = value
            return Self.isVisible(value, atMost: 100) ? nil : Self.name
        case .account:
            account = value
            return Self.isVisible(value, atMost: 100) ? nil : Self.name
        case .client:
            client = value
            return Self.isVisible(value, atMost: 100) ? nil : Self.name
        case .claimedFrom:
            claimedFrom = Self.moment(value)
            return claimedFrom == nil ? Self.moment : nil
        case .claimedTo:
            claimedTo = Self.moment(value)
            return claimedTo == nil ? Self.moment : nil
        case .changedFrom:
            changedFrom = Self.moment(value)
            return changedFrom == nil ? Self.moment : nil
        case .needsAttention:
            needsAttention = value == "true"
            return ["true", "false"].contains(value) ? nil : "must be true or false"
        case .limit:
            let number = value.utf8.count <= 4 ? MinorUnits(parsing: value)?.value : nil
            limit = number ?? limit
            return number.map { Self.limits.contains($0) } ?? false
                ? nil : "must be a number from \(Self.limits.lowerBound) to \(Self.limits.upperBound)"
        case .after: return nil
        }
    }

    private static let reference = "must be 1 to 40 visible ASCII characters"
    private static let code = "must be 1 to 40 letters and digits"
    private static let name = "must be 1 to 100 visible ASCII characters"
    private static let moment = "must be a date, 2026-01-31, or a moment, 2026-01-31T09:00:00Z"

    /// Returns the smallest and the largest amount that the search allows.
    ///
    /// - Returns: `nil` if no amount is given or if it is malformed.
    private static func amounts(_ values: [Parameter: String]) -> (least: MinorUnits?, most: MinorUnits?) {
        func amount(_ parameter: Parameter) -> MinorUnits? { values[parameter].flatMap { MinorUnits(parsing: $0) } }
        if let exact = amount(.amount) { return (exact, exact) }
        let (from, to) = (amount(.amountFrom), amount(.amountTo))
        guard from != nil || to != nil else { return (nil, nil) }
        return (from ?? .zero, to ?? MinorUnits(MinorUnits.limit))
    }

    private static func isVisible(_ text: String, atMost limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func isDigits(_ text: String, count: ClosedRange<Int>) -> Bool {
        count.contains(text.utf8.count) && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Parses a moment in RFC 3339. A date begins at midnight UTC.
    private static func moment(_ text: String) -> Date? {
        guard (10...35).contains(text.utf8.count) else { return nil }
        let whole = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        let hasFraction = whole.utf8.contains(UInt8(ascii: "."))
        guard let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).parse(whole),
            EpochMilliseconds(milliseconds: EpochMilliseconds(date).milliseconds) != nil
        else { return nil }
        return date
    }
}
