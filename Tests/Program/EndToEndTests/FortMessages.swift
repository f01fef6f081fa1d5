import FortAPI
import OutboundHTTP
import PayrelayPrimitives

/// Feedback messages of FORT, signed with an account's response phrase.
struct FortMessages {
    /// An account of a relay's configuration.
    struct Account: Sendable {
        let accessCode: String
        let merchantIdentifier: String
        let responsePhrase: String
        var type = FortSignatureType.standard
    }

    let relay: RunningRelay
    let account: Account

    /// Posts a message about an order as transaction feedback.
    ///
    /// - Parameter members: Members that replace FORT's.
    func post(_ members: JSONObject, to kind: String = "notification") async throws -> OutboundAnswer {
        var message = members
        if message["access_code"] == nil { message["access_code"] = .string(account.accessCode) }
        if message["merchant_identifier"] == nil {
            message["merchant_identifier"] = .string(account.merchantIdentifier)
        }
        let signature = FortSignature(of: message, phrase: Secret(account.responsePhrase), type: account.type)
        message["signature"] = .string(signature.hexadecimal)
        return try await relay.post("/v1/feedback/\(kind)", JSON.object(message).encoded())
    }

    /// Returns FORT's report of a successful command.
    static func success(_ command: FortCommand, of reference: String, amount: JSON? = "10000") -> JSONObject {
        let code = command.successCode
        var message: JSONObject = [
            "command": .string(command.rawValue), "merchant_reference": .string(reference), "currency": "AED",
            "response_code": .string("\(code)"), "status": .string(code.status), "response_message": "Success",
            "fort_id": "149295435400084008",
        ]
        message["amount"] = amount
        return message
    }
}

extension RunningRelay {
    /// The sandbox's account.
    var sandboxAccount: FortMessages.Account {
        FortMessages.Account(
            accessCode: sandbox.settings["PAYRELAY_FORT_ACCESS_CODE", default: ""],
            merchantIdentifier: sandbox.settings["PAYRELAY_FORT_MERCHANT_IDENTIFIER", default: ""],
            responsePhrase: responsePhrase)
    }
}
