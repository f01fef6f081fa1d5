import FortAPI
import PayrelayPrimitives

extension FortSandbox {
    /// Checks the credentials, then the signature with the phrase of the account that the credentials name.
    ///
    /// - Returns: the account.
    func checkAuthenticity(of parameters: JSONObject) throws(FailureResponse) -> FortAccount {
        guard let signature = parameters["signature"]?.stringValue,
            let merchantIdentifier = parameters["merchant_identifier"]?.stringValue,
            let accessCode = parameters["access_code"]?.stringValue
        else { throw FailureResponse(status: "00", message: "001") }
        guard accounts.entries.contains(where: { $0.account.merchantIdentifier == merchantIdentifier }) else {
            throw FailureResponse(status: "00", message: "009")
        }
        guard let account = accounts.entry(identifiedBy: accessCode)?.account,
            account.merchantIdentifier == merchantIdentifier
        else { throw FailureResponse(status: "00", message: "010") }
        let expected = FortSignature(of: parameters, phrase: account.requestPhrase, type: account.signatureType)
        guard expected.matches(signature) else { throw FailureResponse(status: "00", message: "008") }
        return account
    }

    /// Returns an answer or a feedback message with its signature.
    ///
    /// - Parameter spoilt: whether to sign with another phrase than the account's.
    func signed(_ answer: JSONObject, spoilt: Bool = false) -> JSONObject {
        var answer = answer
        let account = account(of: answer)
        let phrase = spoilt ? Secret(account.responsePhrase.exposed + "?") : account.responsePhrase
        let signature = FortSignature(of: answer, phrase: phrase, type: account.signatureType)
        answer["signature"] = .string(signature.hexadecimal)
        return answer
    }

    /// Returns the account whose access code a message carries. For an unknown access code it returns the first
    /// account, because FORT's documents do not say whose phrase signs that answer.
    private func account(of message: JSONObject) -> FortAccount {
        let named = message["access_code"]?.stringValue.flatMap(accounts.entry(identifiedBy:))
        return (named ?? accounts.entries[0]).account
    }
}

extension JSONObject {
    /// The request's command, from any of the three parameters that can carry it; `nil` if FORT has no such
    /// command.
    var fortCommand: FortCommand? {
        FortCommand.allCases.first { self[$0.parameterName]?.stringValue == $0.rawValue }
    }
}
