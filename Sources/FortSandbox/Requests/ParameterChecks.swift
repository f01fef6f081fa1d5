import FortAPI
import Primitives

/// The parameters of a request that passed FORT's checks of them: those that are text, by FORT's names.
struct SandboxParameters {
    let texts: [String: String]

    /// First what is missing (001), then what does not belong (027), then each value in the order of FORT's table: a wrong
    /// kind or character (002), a length (032), a value that is not on the list (033), an amount (005), a currency (013).
    /// FORT tells the kind of fault and not the parameter. In which order it looks is not documented.
    ///
    /// - Parameter mandatory: besides what every request has.
    init(
        _ parameters: JSONObject, of command: FortCommand, mandatory: [String], optional: [String]
    ) throws(FailureResponse) {
        func refusal(_ message: String) -> FailureResponse { FailureResponse(status: "00", message: message) }
        let texts = parameters.texts
        let present = parameters.members.filter { $0.value != "" && $0.value != .null }.map(\.name)
        guard Set(mandatory + ["language"]).isSubset(of: present) else { throw refusal("001") }
        let known = Set(mandatory + optional + ["language", command.parameterName] + Self.proven)
        guard known.isSuperset(of: parameters.names) else { throw refusal("027") }
        let proven = Self.proven + [command.parameterName]
        for field in FortField.all + FortField.ofOperations where present.contains(field.name) {
            guard field.content != .object, !proven.contains(field.name) else { continue }
            guard let text = texts[field.name] else { throw refusal("002") }
            if !field.errors(in: text).isEmpty { throw refusal(Self.message(for: text, in: field)) }
        }
        self.texts = texts
    }

    /// Known to be right, or nothing would have come this far.
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
    /// The parameters at top level that are text, as FORT writes it.
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
