import FortAPI
import OrderedJSON

extension FortSandbox {
    /// The request's parameters, once its signature and credentials are right.
    nonisolated func readAuthentic(_ body: [UInt8]) throws(SandboxRefusal) -> JSONObject {
        guard let json = try? JSON(parsing: body), case .object(let parameters) = json else {
            throw SandboxRefusal(status: "00", message: "073")
        }
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
        return parameters
    }

    /// What is asked for, by whichever parameter carries it.
    nonisolated func command(of parameters: JSONObject) throws(SandboxRefusal) -> FortCommand {
        for command in FortCommand.allCases
        where parameters[command.parameterName]?.stringValue == command.rawValue {
            return command
        }
        throw SandboxRefusal(status: "00", message: "004")
    }
}
