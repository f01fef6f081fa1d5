public import PayrelayPrimitives

/// A verified answer of FORT: it is signed with the account's response phrase and belongs to the request that was
/// sent.
///
/// The only initializer verifies the answer. APS adds fields without notice, so the signature is computed over
/// all parameters that arrived, not only over the known ones.
public struct FortAnswer: Hashable, Sendable, Redacted {
    /// The command of the request.
    public let command: FortCommand
    /// All parameters as they arrived, including the signature. They contain customer data.
    public let parameters: JSONObject
    public let responseCode: FortCode

    /// Verifies an answer:
    /// - The signature matches all parameters, with the account's response phrase and SHA type.
    /// - No name shows that the signed text was split elsewhere (``FortParameterName``).
    /// - Every parameter in `identifying` that was sent is in the answer and has the value that was sent.
    /// - Every other echoed parameter has the value that was sent, if it is in the answer.
    /// - There is a `response_code`.
    ///
    /// - Parameters:
    ///   - body: the body as it arrived, with HTTP status 200.
    ///   - account: the account whose response phrase must have signed the answer.
    ///   - message: the request that was sent.
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
            // Bytes decide: a canonically equivalent text is another text.
            guard received.scalarText?.isExactly(sent) ?? false else { throw .foreign(parameter: name) }
        }
        guard let code = said else { throw .noResponseCode }
        self.parameters = parameters
        command = message.command
        responseCode = code
    }

    public var description: String { "answer \(responseCode) to \(command.rawValue)" }

    /// The request parameters that FORT echoes. They distinguish the answer to this request from the answer to
    /// another.
    private static let echoed = [
        "merchant_reference", "device_id", "command", "query_command", "service_command", "amount", "currency",
        "fort_id",
        "maintenance_reference", "access_code", "merchant_identifier",
    ]
    /// The parameters that say which transaction an answer is about. Without them the answer could be to another
    /// request, or about another amount, so it proves nothing.
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
    /// A parameter as text, whether FORT wrote a string, a number or a boolean; `nil` if it is absent, null,
    /// empty or nested.
    public subscript(name: String) -> String? {
        guard let text = parameters[name]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// FORT's number of the order.
    public var fortID: String? { self["fort_id"] }
    /// The status of two digits. In an answer to CHECK_STATUS it is the status of the query.
    public var status: String? { self["status"] }
    /// FORT's text for the response code, in the request's language.
    public var responseMessage: String? { self["response_message"] }
    public var authorizationCode: String? { self["authorization_code"] }
    /// The card's scheme: `VISA`, `MASTERCARD`, `MADA` or `AMEX`.
    public var paymentOption: String? { self["payment_option"] }

    /// The token with which FORT's mobile SDK pays; `nil` unless the answer is a successful answer to SDK_TOKEN.
    /// Whoever has the token can pay with it, so it is never logged.
    public var sdkToken: Secret? {
        command == .sdkToken && self.class == .success ? self["sdk_token"].map(Secret.init) : nil
    }

    /// The class of the answer to its command. Only the command's ``FortCommand/successCode`` is a success. The
    /// class is `uncertain` if `status` contradicts the first digits of the code.
    public var `class`: FortCode.Class { responseCode.class(answering: command, status: status) }

    /// The state of the order, in an answer to CHECK_STATUS; `nil` if FORT does not state it.
    public var transactionState: TransactionState? {
        guard command == .checkStatus, self.class == .success, let status = self["transaction_status"] else {
            return nil
        }
        return TransactionState(status: status, code: self["transaction_code"])
    }

    /// Whether an answer to CHECK_STATUS says that FORT is still working on the order. The order may then still
    /// be charged.
    public var isTransactionUndecided: Bool {
        let code = self["transaction_code"].flatMap { FortCode($0) }
        return [self["transaction_status"], code?.status].contains { FortStatus.undecidedByFort.contains($0 ?? "") }
            || code.map { FortCode.undecidedMessages.contains($0.message) } ?? false
    }
}

/// The reason why an answer cannot be verified. The order's outcome is then unknown, whatever the answer
/// says.
public enum FortAnswerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// FORT answers with 200 even if it declines. Another status comes from a proxy.
    case httpStatus(Int)
    case notJSON(JSONError)
    case notAnObject
    case unsigned
    /// The account's response phrase or SHA type is wrong, or the answer is forged. The code in it decides
    /// nothing.
    case wrongSignature(saying: FortCode?)
    /// The answer is signed, but belongs to another request: this parameter differs from the one that was sent.
    case foreign(parameter: String)
    /// The answer is signed, but lacks this parameter of the request, which says what the answer is about.
    case incomplete(parameter: String)
    /// The answer is signed, but this parameter's name is the end of another parameter's value and a known name:
    /// FORT did not write these parameters.
    case splitElsewhere(parameter: String)
    /// The answer is signed, but has no `response_code` of five digits.
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
