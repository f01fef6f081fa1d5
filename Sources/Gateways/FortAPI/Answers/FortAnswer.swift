public import PayrelayPrimitives

/// A verified answer of FORT: signed with the account's response phrase, and for the request that was sent.
///
/// Its only initializer verifies. The signature is computed over all that arrived and not over the fields that this code knows, because
/// APS adds fields without notice.
public struct FortAnswer: Hashable, Sendable, Redacted {
    /// Command of the request.
    public let command: FortCommand
    /// Everything as it arrived, the signature included. It holds customer data.
    public let parameters: JSONObject
    public let responseCode: FortCode

    /// - Parameters:
    ///   - body: as it arrived, with HTTP status 200.
    ///   - account: whose response phrase signed it.
    ///   - message: what was sent. The answer must carry what says which transaction it is about (``identifying``), as it was sent; the
    ///     other references and names must be its own where they are present.
    /// - Throws: ``FortAnswerError``.
    public init(verifying body: [UInt8], of account: FortAccount, to message: FortMessage) throws(FortAnswerError) {
        let parameters = try FortAnswer.read(body)
        guard let received = parameters[FortSignature.parameterName]?.stringValue else { throw .unsigned }
        let expected = FortSignature(of: parameters, phrase: account.responsePhrase, type: account.signatureType)
        let said = parameters["response_code"]?.scalarText.flatMap(FortCode.init)
        guard expected.matches(received) else { throw .wrongSignature(saying: said) }
        for member in parameters.members where FortParameterName.isSplitElsewhere(member.name) {
            throw .splitElsewhere(parameter: member.name)
        }
        for name in FortAnswer.echoed {
            guard let sent = message.parameters[name]?.scalarText else { continue }
            guard let received = parameters[name] else {
                guard !FortAnswer.identifying.contains(name) else { throw .incomplete(parameter: name) }
                continue
            }
            guard received.scalarText == sent else { throw .foreign(parameter: name) }
        }
        guard let code = said else { throw .noResponseCode }
        self.parameters = parameters
        command = message.command
        responseCode = code
    }

    public var description: String { "answer \(responseCode) to \(command.rawValue)" }

    /// The parameters of a request that FORT echoes. They tell this request's answer from another's.
    private static let echoed = [
        "merchant_reference", "device_id", "command", "query_command", "service_command", "amount", "currency",
        "fort_id",
        "maintenance_reference", "access_code", "merchant_identifier",
    ]
    /// Without these an answer could be to another request, or about another amount: it proves nothing.
    private static let identifying: Set<String> = [
        "amount", "command", "currency", "device_id", "merchant_identifier", "merchant_reference",
    ]

    private static func read(_ body: [UInt8]) throws(FortAnswerError) -> JSONObject {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: body)
        } catch {
            throw .notJSON(error)
        }
        guard let object = json.objectValue else { throw .notAnObject }
        return object
    }
}

extension FortAnswer {
    /// A parameter as text, whether FORT wrote a string, a number or a boolean; nil where it is absent, null, empty or
    /// nested.
    public subscript(name: String) -> String? {
        guard let text = parameters[name]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// FORT's own number of the order.
    public var fortID: String? { self["fort_id"] }
    /// Two digits; of the query, where the command is CHECK_STATUS.
    public var status: String? { self["status"] }
    /// In the request's language.
    public var responseMessage: String? { self["response_message"] }
    public var authorizationCode: String? { self["authorization_code"] }
    /// The card's scheme: `VISA`, `MASTERCARD`, `MADA`, `AMEX`.
    public var paymentOption: String? { self["payment_option"] }

    /// Of an answer to SDK_TOKEN: the token that FORT's mobile SDK pays with. It is a bearer secret and never logged.
    public var sdkToken: Secret? {
        command == .sdkToken && self.class == .success ? self["sdk_token"].map(Secret.init) : nil
    }

    /// Class of the answer to its command. Success is the command's own ``FortCommand/successCode`` and no other. The
    /// class is uncertain if `status` contradicts the first digits of the code.
    public var `class`: FortCode.Class { responseCode.class(answering: command, status: status) }

    /// Of an answer to CHECK_STATUS: what became of the order. Nil where FORT does not say.
    public var transactionState: TransactionState? {
        guard command == .checkStatus, self.class == .success, let status = self["transaction_status"] else {
            return nil
        }
        return TransactionState(status: status, code: self["transaction_code"])
    }

    /// Whether an answer to CHECK_STATUS says that FORT is still working on the order, so that it may be charged later.
    public var isTransactionUndecided: Bool {
        let code = self["transaction_code"].flatMap { FortCode($0) }
        return [self["transaction_status"], code?.status].contains { FortStatus.undecidedByFort.contains($0 ?? "") }
            || code.map { FortCode.undecidedMessages.contains($0.message) } ?? false
    }
}

/// Why an answer cannot be verified. The order's outcome is then unknown, whatever the answer says.
public enum FortAnswerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// FORT answers 200 even where it declines; another status comes from a gateway.
    case httpStatus(Int)
    case notJSON(JSONError)
    case notAnObject
    case unsigned
    /// The account's response phrase or SHA type is wrong, or the answer is forged. What it says decides nothing.
    case wrongSignature(saying: FortCode?)
    /// Signed, but for another request: this parameter differs from what was sent.
    case foreign(parameter: String)
    /// Signed, but without this parameter of the request, which says what it is about.
    case incomplete(parameter: String)
    /// Signed, but a parameter's name is a known one behind the end of another value: FORT did not write these parameters.
    case splitElsewhere(parameter: String)
    /// Signed, but without a `response_code` of five digits.
    case noResponseCode

    public var description: String {
        switch self {
        case .httpStatus(let status): "the HTTP status is \(status)"
        case .notJSON(let error): "it is not JSON: \(error)"
        case .notAnObject: "it is JSON, but not an object"
        case .unsigned: "it has no signature"
        case .wrongSignature: "its signature is not that of the response phrase and SHA type"
        case .foreign(let parameter): "its \(parameter) is not that of the request"
        case .incomplete(let parameter): "it has no \(parameter)"
        case .splitElsewhere(let name):
            "FORT has no parameter named \"\(name.unicodeScalars.prefix(64).map { $0.escaped(asASCII: true) }.joined())\""
        case .noResponseCode: "it has no response_code of five digits"
        }
    }
}
