public import Primitives

/// An answer of FORT that is proven to be one: signed with the account's response phrase, and for the request that was sent.
///
/// There is no other way to make one, so whoever holds a `FortAnswer` need not ask. The signature is computed over all that
/// arrived and not over the fields that this code knows; APS adds fields without notice.
public struct FortAnswer: Hashable, Sendable, Redacted {
    /// What FORT was asked to do.
    public let command: FortCommand
    /// Everything as it arrived, the signature included. It holds customer data.
    public let parameters: JSONObject
    public let responseCode: FortCode

    /// - Parameters:
    ///   - body: as it arrived, with HTTP status 200.
    ///   - account: whose response phrase signed it.
    ///   - message: what was sent. The answer must carry its `merchant_reference` (that of an SDK_TOKEN its `device_id`); the
    ///     command, the amount, the currency, the other references and the account's names must be its own where they are
    ///     present.
    /// - Throws: ``FortAnswerError``.
    public init(verifying body: [UInt8], of account: FortAccount, to message: FortMessage) throws(FortAnswerError) {
        let parameters = try FortAnswer.read(body)
        guard let received = parameters["signature"]?.stringValue else { throw .unsigned }
        let expected = FortSignature(of: parameters, phrase: account.responsePhrase, type: account.signatureType)
        guard expected.matches(received) else { throw .wrongSignature }
        for name in FortAnswer.echoed {
            guard let sent = message.parameters[name]?.scalarText else { continue }
            if parameters[name] == nil && !FortAnswer.identifying.contains(name) { continue }
            guard parameters[name]?.scalarText == sent else { throw .foreign(parameter: name) }
        }
        guard let code = parameters["response_code"]?.scalarText.flatMap(FortCode.init) else { throw .noResponseCode }
        self.parameters = parameters
        command = message.command
        responseCode = code
    }

    public var description: String { "answer \(responseCode) to \(command.rawValue)" }

    /// What FORT gives back of a request, so that the answer to another request is not taken for this one's.
    private static let echoed = [
        "merchant_reference", "device_id", "command", "query_command", "service_command", "amount", "currency",
        "fort_id",
        "maintenance_reference", "access_code", "merchant_identifier",
    ]
    /// Without these the answer could be anyone's.
    private static let identifying: Set<String> = ["merchant_reference", "device_id"]

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
