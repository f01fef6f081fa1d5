import FortAPI
import PayrelayPrimitives

/// FORT's answer to a request that is not carried out: a status, and a message that gives the reason.
struct FailureResponse: Error, Equatable {
    let status: String
    let message: String
    /// A detail for developers that the code does not say. FORT's texts have no such details.
    var detail: String? = nil

    func response(to parameters: JSONObject) -> JSONObject {
        var response = parameters.echoed().adding(status: status, message: message)
        if let detail, let text = response["response_message"]?.stringValue {
            response["response_message"] = .string("\(text) \(detail)")
        }
        return response
    }
}

extension JSONObject {
    /// Returns the parameters that FORT echoes: all except the signature, Apple's parameters, and a card's number
    /// and security code.
    func echoed() -> JSONObject {
        let kept = members.filter { !Self.secrets.contains($0.name) && !$0.name.begins(with: "apple_") }
        return JSONObject(kept.map { ($0.name, $0.value) })
    }

    private static let secrets: Set<String> = ["signature", "card_number", "card_security_code"]

    func adding(status: String, message: String) -> JSONObject {
        var response = self
        response["response_code"] = .string(status + message)
        response["response_message"] = .string(FortCodeEntry(message)?.texts.first ?? "")
        response["status"] = .string(status)
        return response
    }
}

extension FortCommand {
    var failureStatus: String {
        switch self {
        case .authorization: "03"
        case .purchase: "13"
        case .capture: "05"
        case .voidAuthorization: "09"
        case .refund: "07"
        case .checkStatus: "11"
        case .sdkToken: "21"
        }
    }
}
