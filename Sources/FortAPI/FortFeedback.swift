public import Primitives

/// FORT's word on a transaction, unasked: a message to the merchant's Direct or Notification Feedback URL, proven to be
/// FORT's (mobile SDK guide, section 6.8).
///
/// Both kinds look the same. Direct ones follow each processed transaction, notifications each change of status. They may
/// come twice, late and in any order. There is no way to make one without a signature that verifies, and nothing in the
/// message but its `access_code` says with which phrase: that of the account with this code. All that arrived is signed,
/// the fields that this code does not know included.
public struct FortFeedback: Hashable, Sendable, Redacted {
    /// How the body is written. FORT's settings offer both; forms are what older accounts get.
    public enum Format: Hashable, Sendable, CaseIterable {
        case form
        case json

        /// The format that an HTTP `Content-Type` names; nil for any other.
        public init?(contentType: String) {
            switch FortField.trimmed(String(contentType.prefix { $0 != ";" })).lowercased() {
            case "application/x-www-form-urlencoded": self = .form
            case "application/json": self = .json
            default: return nil
            }
        }
    }

    /// In bytes. With every documented field at its limit and escaped, a form takes less than half.
    public static let sizeLimit = 65_536
    /// At the top level.
    public static let parameterLimit = 200
    private static let depthLimit = 4

    /// The merchant's name of the account that signed it; see ``FortAccounts``.
    public let account: String
    /// Everything as it arrived, the signature included. It holds customer data.
    public let parameters: JSONObject
    public let merchantReference: String
    public let responseCode: FortCode

    /// - Parameter body: as it arrived.
    /// - Throws: ``FortFeedbackError``.
    public init(verifying body: [UInt8], as format: Format, of accounts: FortAccounts) throws(FortFeedbackError) {
        let parameters = try FortFeedback.read(body, as: format)
        guard let signature = parameters["signature"]?.stringValue else { throw .unsigned }
        guard let accessCode = parameters["access_code"]?.scalarText, let entry = accounts.entry(accessCode: accessCode)
        else { throw .unknownAccount }
        let account = entry.account
        let expected = FortSignature(of: parameters, phrase: account.responsePhrase, type: account.signatureType)
        guard expected.matches(signature) else { throw .wrongSignature }
        // Where it is present it is the account's: null, or a list, is another one.
        if let merchantIdentifier = parameters["merchant_identifier"] {
            guard merchantIdentifier.scalarText == account.merchantIdentifier else { throw .unknownAccount }
        }
        guard let reference = parameters["merchant_reference"]?.scalarText, !reference.isEmpty else {
            throw .incomplete(parameter: "merchant_reference")
        }
        guard let code = parameters["response_code"]?.scalarText.flatMap(FortCode.init) else {
            throw .incomplete(parameter: "response_code")
        }
        self.account = entry.name
        self.parameters = parameters
        merchantReference = reference
        responseCode = code
    }

    public var description: String { "feedback \(responseCode)" }

    private static func read(_ body: [UInt8], as format: Format) throws(FortFeedbackError) -> JSONObject {
        guard body.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
        switch format {
        case .form:
            do throws(URLEncodedFormError) {
                return try URLEncodedForm(parsing: body, parameterLimit: parameterLimit).parameters
            } catch {
                throw .notAForm(error)
            }
        case .json:
            let json: JSON
            do throws(JSONError) {
                json = try JSON(parsing: body, depthLimit: depthLimit)
            } catch {
                throw .notJSON(error)
            }
            guard let object = json.objectValue else { throw .notAnObject }
            guard object.members.count <= parameterLimit else { throw .tooManyParameters(limit: parameterLimit) }
            return object
        }
    }
}
