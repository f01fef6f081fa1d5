public import PayrelayPrimitives

extension PaymentToken {
    /// Reads a token in any shape that app libraries use (``TokenShape`` lists them). Unknown members are
    /// ignored. The same token is equal in every shape, except for parts that a shape does not have.
    ///
    /// - Throws: ``TokenDecodingError`` with every error at once, or `.simulator`.
    public init(json: JSON) throws(TokenDecodingError) {
        let envelope = try TokenShape(json)
        var paymentData = JSONFieldReader(envelope.paymentData, path: "paymentData")
        let version = paymentData.version()
        let data = paymentData.base64("data", limit: Self.base64Limit, required: true)
        let signature = paymentData.base64("signature", limit: Self.base64Limit, required: true)
        let header = paymentData.header(version: version)
        var token = JSONFieldReader(envelope.token)
        let paymentMethod = token.paymentMethod()
        let transactionIdentifier = token.transactionIdentifier(header: header)

        let errors = paymentData.errors + token.errors
        guard errors.isEmpty, let version, let data, let signature, let header else { throw .invalid(errors) }
        self.init(
            version: version, data: data, signature: signature, header: header, paymentMethod: paymentMethod,
            transactionIdentifier: transactionIdentifier)
    }

    // The maximum lengths in bytes of UTF-8. Longer texts are rejected before they are decoded.
    fileprivate static let base64Limit = 64 * 1024
    fileprivate static let hexLimit = 128
    fileprivate static let textLimit = 256
}

extension JSONFieldReader {
    fileprivate mutating func version() -> PaymentToken.Version? {
        guard let word = text("version", limit: PaymentToken.textLimit, required: true) else { return nil }
        guard let version = PaymentToken.Version(rawValue: word) else {
            add("version", "must be EC_v1 or RSA_v1")
            return nil
        }
        return version
    }

    fileprivate mutating func header(version: PaymentToken.Version?) -> PaymentToken.Header? {
        guard var header = object("header", required: true) else { return nil }
        defer { add(header.errors) }
        let (base64, hex) = (PaymentToken.base64Limit, PaymentToken.hexLimit)
        let ephemeralPublicKey = header.base64("ephemeralPublicKey", limit: base64, required: version == .ecV1)
        let wrappedKey = header.base64("wrappedKey", limit: base64, required: version == .rsaV1)
        if version == .ecV1 && wrappedKey != nil { header.add("wrappedKey", "does not belong to EC_v1") }
        if version == .rsaV1 && ephemeralPublicKey != nil {
            header.add("ephemeralPublicKey", "does not belong to RSA_v1")
        }
        let publicKeyHash = header.base64("publicKeyHash", limit: base64, required: true, isDigest: true)
        let transactionId = header.hex("transactionId", limit: hex, required: true)
        let applicationData = header.hex("applicationData", limit: hex, required: false, isDigest: true)
        guard let publicKeyHash, let transactionId else { return nil }
        return PaymentToken.Header(
            ephemeralPublicKey: ephemeralPublicKey, wrappedKey: wrappedKey, publicKeyHash: publicKeyHash,
            transactionId: transactionId, applicationData: applicationData)
    }

    fileprivate mutating func paymentMethod() -> PaymentMethod? {
        guard var method = object("paymentMethod") else { return nil }
        defer { add(method.errors) }
        return PaymentMethod(
            displayName: method.text("displayName", limit: PaymentToken.textLimit),
            network: method.text("network", limit: PaymentToken.textLimit),
            type: method.kind())
    }

    private mutating func kind() -> PaymentMethod.Kind? {
        guard let value = value("type") else { return nil }
        let kind: PaymentMethod.Kind? =
            switch value {
            case .string(let text): PaymentMethod.Kind(text: text)
            case .number(let number): PaymentMethod.Kind(number: number)
            default: nil
            }
        if kind == nil {
            let words = PaymentMethod.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            add("type", "must be one of \(words), or PassKit's number or constant for it")
        }
        return kind
    }

    /// Reads the identifier. It is not signed, so it proves nothing. But an identifier of another payment shows
    /// that two tokens were mixed up.
    fileprivate mutating func transactionIdentifier(header: PaymentToken.Header?) -> String? {
        let identifier = text("transactionIdentifier", limit: PaymentToken.textLimit)
        if let identifier, let header, !header.transactionId.hasSameDigits(as: identifier) {
            add("transactionIdentifier", "names another payment than paymentData.header.transactionId")
        }
        return identifier
    }
}

/// The reason why JSON is not an Apple Pay token.
public enum TokenDecodingError: Error, Equatable, Sendable {
    /// The token comes from the iOS Simulator, whose `paymentData` is empty and not signed.
    case simulator
    /// The token has errors. All of them are reported, each under its path in Apple's names, such as
    /// `paymentData.header.transactionId`; the path is empty for the token itself.
    case invalid([ValidationError])
}

extension TokenDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .simulator:
            "this token comes from the iOS Simulator: its paymentData is empty and nothing signs it; "
                + "use a device with a card, or a sandbox token"
        case .invalid(let errors):
            errors.map { "\($0.field.isEmpty ? "token" : $0.field) \($0.detail)" }.joined(separator: "; ")
        }
    }
}
