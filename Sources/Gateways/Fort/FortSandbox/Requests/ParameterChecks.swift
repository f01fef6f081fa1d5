import FortAPI
import PayrelayPrimitives

/// The request's non-empty text parameters under FORT's names, after they passed FORT's checks.
struct SandboxParameters {
    let texts: [String: String]

    /// Checks the parameters in this order:
    /// 1. missing parameters (001);
    /// 2. unknown parameters (027);
    /// 3. each value, in the order of FORT's table: a wrong type or character (002), a length (032), a value that
    ///    is not on the list (033), an amount (005), a currency (013).
    ///
    /// FORT's answer names the kind of error, not the parameter. The order of FORT's own checks is not
    /// documented.
    ///
    /// - Parameters:
    ///   - mandatory: the mandatory parameters in addition to those of every request.
    ///   - fields: the parameters with their limits. If several have the same name, the first one counts.
    init(
        _ parameters: JSONObject, of command: FortCommand, mandatory: [String], optional: [String],
        fields: [FortField] = FortField.all + FortField.ofOperations
    ) throws(FailureResponse) {
        func failed(_ message: String) -> FailureResponse { FailureResponse(status: "00", message: message) }
        let texts = parameters.texts
        let present = parameters.members.filter { $0.value != "" && $0.value != .null }.map(\.name)
        guard Set(mandatory + ["language"]).isSubset(of: present) else { throw failed("001") }
        let known = Set(mandatory + optional + ["language", command.parameterName] + Self.proven)
        guard known.isSuperset(of: parameters.names) else { throw failed("027") }
        var checked = Set(Self.proven + [command.parameterName])
        for field in fields where present.contains(field.name) {
            guard field.content != .object, checked.insert(field.name).inserted else { continue }
            guard let text = texts[field.name] else { throw failed("002") }
            if !field.errors(in: text).isEmpty { throw failed(Self.message(for: text, in: field)) }
        }
        self.texts = texts.filter { present.contains($0.key) }
    }

    /// These parameters were already checked together with the signature.
    private static let proven = ["access_code", "merchant_identifier", "signature"]

    private static func message(for value: String, in field: FortField) -> String {
        switch field.content {
        case .amount: "005"
        case .currency: "013"
        case .values: "033"
        default: value.unicodeScalars.count > field.maximumLength ?? .max ? "032" : "002"
        }
    }
}

extension JSONObject {
    /// The top-level parameters that are text or numbers, as FORT writes them.
    fileprivate var texts: [String: String] {
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
