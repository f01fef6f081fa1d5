public import Primitives

extension PaymentToken {
    /// Reads a token in any shape that apps send: `payment.token` of PassKit or Apple Pay JS, a whole `payment`, bare
    /// `paymentData`; `paymentData` as an object, as JSON text or as base64 of JSON text. Unknown members are ignored.
    ///
    /// - Throws: ``TokenDecodingError``, with every fault at once, or `.simulator`.
    public init(json: JSON) throws(TokenDecodingError) {
        let envelope = try TokenShape(json)
        let paymentData = envelope.paymentData

        var reader = TokenFieldReader()
        let version = reader.version(paymentData["version"])
        let data = reader.base64(paymentData["data"], "paymentData.data")
        let signature = reader.base64(paymentData["signature"], "paymentData.signature")
        let header = reader.header(paymentData["header"], version: version)
        let paymentMethod = reader.paymentMethod(envelope.paymentMethod)
        let transactionIdentifier = reader.transactionIdentifier(envelope.transactionIdentifier, header: header)

        guard reader.faults.isEmpty, let version, let data, let signature, let header else {
            throw .faults(reader.faults)
        }
        self.init(
            version: version, data: data, signature: signature, header: header, paymentMethod: paymentMethod,
            transactionIdentifier: transactionIdentifier)
    }
}

extension TokenFieldReader {
    fileprivate mutating func version(_ json: JSON?) -> PaymentToken.Version? {
        guard let word = text(json, "paymentData.version", required: true) else { return nil }
        guard let version = PaymentToken.Version(rawValue: word) else {
            fault("paymentData.version", "must be EC_v1 or RSA_v1")
            return nil
        }
        return version
    }

    fileprivate mutating func header(_ json: JSON?, version: PaymentToken.Version?) -> PaymentToken.Header? {
        let path = "paymentData.header"
        guard let json, json != .null else {
            fault(path, "is missing")
            return nil
        }
        guard let object = json.objectValue else {
            fault(path, "must be an object, not \(json.kind)")
            return nil
        }
        let ephemeralPublicKey = base64(
            object["ephemeralPublicKey"], "\(path).ephemeralPublicKey", required: version == .ecV1)
        let wrappedKey = base64(object["wrappedKey"], "\(path).wrappedKey", required: version == .rsaV1)
        if version == .ecV1 && wrappedKey != nil { fault("\(path).wrappedKey", "does not belong to EC_v1") }
        if version == .rsaV1 && ephemeralPublicKey != nil {
            fault("\(path).ephemeralPublicKey", "does not belong to RSA_v1")
        }
        let publicKeyHash = base64(object["publicKeyHash"], "\(path).publicKeyHash", byteCount: 32)
        let transactionId = hex(object["transactionId"], "\(path).transactionId")
        let applicationData = hex(
            object["applicationData"], "\(path).applicationData", required: false, byteCount: 32)
        guard let publicKeyHash, let transactionId else { return nil }
        return PaymentToken.Header(
            ephemeralPublicKey: ephemeralPublicKey, wrappedKey: wrappedKey, publicKeyHash: publicKeyHash,
            transactionId: transactionId, applicationData: applicationData)
    }

    fileprivate mutating func paymentMethod(_ json: JSON?) -> PaymentMethod? {
        guard let json, json != .null else { return nil }
        guard let object = json.objectValue else {
            fault("paymentMethod", "must be an object, not \(json.kind)")
            return nil
        }
        return PaymentMethod(
            displayName: text(object["displayName"], "paymentMethod.displayName"),
            network: text(object["network"], "paymentMethod.network"),
            type: kind(object["type"]))
    }

    private mutating func kind(_ json: JSON?) -> PaymentMethod.Kind? {
        let kind: PaymentMethod.Kind? =
            switch json {
            case nil, .null?: nil
            case .string(let word)?: PaymentMethod.Kind(word: word)
            case .number(let number)?: PaymentMethod.Kind(number: number)
            default: nil
            }
        if kind == nil, let json, json != .null {
            let words = PaymentMethod.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            fault("paymentMethod.type", "must be one of \(words), or PassKit's number for it")
        }
        return kind
    }

    /// Unsigned, so it proves nothing; but one that names another payment shows that two tokens were mixed up.
    fileprivate mutating func transactionIdentifier(_ json: JSON?, header: PaymentToken.Header?) -> String? {
        let identifier = text(json, "transactionIdentifier")
        if let identifier, let header, identifier.lowercased() != header.transactionId.text.lowercased() {
            fault("transactionIdentifier", "names another payment than paymentData.header.transactionId")
        }
        return identifier
    }
}

/// Why JSON is not an Apple Pay token.
public enum TokenDecodingError: Error, Equatable, Sendable {
    /// The token comes from the iOS Simulator, which signs nothing: its `paymentData` is empty.
    case simulator
    /// Every error that was found, not only the first, under the path in Apple's names, for example
    /// `paymentData.header.transactionId`; empty for the token itself.
    case faults([ValidationError])
}

extension TokenDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .simulator:
            "this token comes from the iOS Simulator: its paymentData is empty and nothing signs it; "
                + "use a device with a card, or a sandbox token"
        case .faults(let faults):
            faults.map { "\($0.field.isEmpty ? "token" : $0.field) \($0.detail)" }.joined(separator: "; ")
        }
    }
}
