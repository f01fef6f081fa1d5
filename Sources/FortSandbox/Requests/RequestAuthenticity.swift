import FortAPI
import Primitives

extension FortSandbox {
    /// Whether the account's owner sent this: the credentials first, because they say whose phrase must have signed it.
    func checkAuthenticity(of parameters: JSONObject) throws(FailureResponse) {
        guard let signature = parameters["signature"]?.stringValue,
            let merchantIdentifier = parameters["merchant_identifier"]?.stringValue,
            let accessCode = parameters["access_code"]?.stringValue
        else { throw FailureResponse(status: "00", message: "001") }
        guard accounts.entries.contains(where: { $0.account.merchantIdentifier == merchantIdentifier }) else {
            throw FailureResponse(status: "00", message: "009")
        }
        guard let account = accounts.entry(accessCode: accessCode)?.account,
            account.merchantIdentifier == merchantIdentifier
        else { throw FailureResponse(status: "00", message: "010") }
        let expected = FortSignature(of: parameters, phrase: account.requestPhrase, type: account.signatureType)
        guard expected.matches(signature) else { throw FailureResponse(status: "00", message: "008") }
    }

    /// An answer, or a feedback message, with its signature.
    ///
    /// - Parameter spoilt: with another phrase than the account's.
    func signed(_ answer: JSONObject, spoilt: Bool = false) -> JSONObject {
        var answer = answer
        let account = account(of: answer)
        let phrase = spoilt ? Secret(account.responsePhrase.exposed + "?") : account.responsePhrase
        let signature = FortSignature(of: answer, phrase: phrase, type: account.signatureType)
        answer["signature"] = .string(signature.hexadecimal)
        return answer
    }

    /// The account whose access code a message carries. What carries none that is known is answered by the first, because
    /// FORT's documents do not say who signs that answer.
    private func account(of message: JSONObject) -> FortAccount {
        let named = message["access_code"]?.stringValue.flatMap(accounts.entry(accessCode:))
        return (named ?? accounts.entries[0]).account
    }
}

extension JSONObject {
    /// What a request asks for, by whichever parameter carries it; nil where that is nothing that FORT does.
    var fortCommand: FortCommand? {
        FortCommand.allCases.first { self[$0.parameterName]?.stringValue == $0.rawValue }
    }
}
