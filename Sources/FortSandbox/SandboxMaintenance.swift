import FortAPI
import OrderedJSON

/// A CAPTURE, VOID_AUTHORIZATION or REFUND whose parameters are those that FORT takes.
struct SandboxMaintenance {
    let command: FortCommand
    let merchantReference: String
    /// In minor units of `currency`; nil for a void, which has none.
    let amount: Int?
    let currency: String?
    let maintenanceReference: String?
    /// Where it is sent, the order's must be the same.
    let fortID: String?

    init(_ parameters: JSONObject, command: FortCommand) throws(SandboxRefusal) {
        func refusal(_ message: String) -> SandboxRefusal { SandboxRefusal(status: "00", message: message) }
        let texts = parameters.texts
        let needed =
            ["merchant_reference", "language"] + (command == .voidAuthorization ? [] : ["amount", "currency"])
        guard needed.allSatisfy({ texts[$0]?.isEmpty == false }) else { throw refusal("001") }
        guard parameters.names.allSatisfy(Self.names(of: command).contains) else { throw refusal("027") }
        guard ["en", "ar"].contains(texts["language"]) else { throw refusal("033") }
        if command == .voidAuthorization {
            (amount, currency) = (nil, nil)
        } else {
            guard let amount = texts["amount"].flatMap({ Int($0) }), amount > 0 else { throw refusal("005") }
            self.amount = amount
            currency = texts["currency"]
        }
        self.command = command
        merchantReference = texts["merchant_reference"] ?? ""
        maintenanceReference = texts["maintenance_reference"]
        fortID = texts["fort_id"]
    }

    private static func names(of command: FortCommand) -> Set<String> {
        let all: Set = [
            "command", "access_code", "merchant_identifier", "merchant_reference", "language", "fort_id",
            "order_description", "signature",
        ]
        switch command {
        case .capture: return all.union(["amount", "currency"])
        case .refund: return all.union(["amount", "currency", "maintenance_reference"])
        default: return all
        }
    }
}

extension JSONObject {
    /// The parameters at top level that are text, as FORT writes it.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for member in members {
            switch member.value {
            case .string(let text): texts[member.name] = text
            case .number(let literal): texts[member.name] = literal
            default: break
            }
        }
        return texts
    }
}
