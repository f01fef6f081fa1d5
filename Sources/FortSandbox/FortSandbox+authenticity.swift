import FortAPI
import OrderedJSON

extension FortSandbox {
    /// Whether the account's owner sent this: the signature first, then the credentials.
    func checkAuthenticity(of parameters: JSONObject) throws(SandboxRefusal) {
        guard let signature = parameters["signature"]?.stringValue else {
            throw SandboxRefusal(status: "00", message: "001")
        }
        let expected = FortSignature(of: parameters, phrase: account.requestPhrase, type: account.signatureType)
        guard expected.matches(signature) else { throw SandboxRefusal(status: "00", message: "008") }
        guard parameters["merchant_identifier"]?.stringValue == account.merchantIdentifier else {
            throw SandboxRefusal(status: "00", message: "009")
        }
        guard parameters["access_code"]?.stringValue == account.accessCode else {
            throw SandboxRefusal(status: "00", message: "010")
        }
    }

    /// What is asked for, by whichever parameter carries it.
    func command(of parameters: JSONObject) throws(SandboxRefusal) -> FortCommand {
        for command in FortCommand.allCases
        where parameters[command.parameterName]?.stringValue == command.rawValue {
            return command
        }
        throw SandboxRefusal(status: "00", message: "004")
    }
}
