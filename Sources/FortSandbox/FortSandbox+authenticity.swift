import FortAPI
import OrderedJSON

extension FortSandbox {
    /// Whether the account's owner sent this: the credentials first, because they say whose phrase must have signed it.
    func checkAuthenticity(of parameters: JSONObject) throws(SandboxRefusal) {
        guard let signature = parameters["signature"]?.stringValue,
            let merchantIdentifier = parameters["merchant_identifier"]?.stringValue,
            let accessCode = parameters["access_code"]?.stringValue
        else { throw SandboxRefusal(status: "00", message: "001") }
        guard merchantIdentifier == account.merchantIdentifier else {
            throw SandboxRefusal(status: "00", message: "009")
        }
        guard accessCode == account.accessCode else { throw SandboxRefusal(status: "00", message: "010") }
        let expected = FortSignature(of: parameters, phrase: account.requestPhrase, type: account.signatureType)
        guard expected.matches(signature) else { throw SandboxRefusal(status: "00", message: "008") }
    }

    /// An answer, or a feedback message, with its signature.
    ///
    /// - Parameter phrase: the account's response phrase, unless another is given.
    func signed(_ answer: JSONObject, with phrase: Secret? = nil) -> JSONObject {
        var answer = answer
        let signature = FortSignature(of: answer, phrase: phrase ?? account.responsePhrase, type: account.signatureType)
        answer["signature"] = .string(signature.hexadecimal)
        return answer
    }
}

extension JSONObject {
    /// What a request asks for, by whichever parameter carries it; nil where that is nothing that FORT does.
    var fortCommand: FortCommand? {
        FortCommand.allCases.first { self[$0.parameterName]?.stringValue == $0.rawValue }
    }
}
