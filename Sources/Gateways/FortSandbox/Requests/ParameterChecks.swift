import FortAPI
import PayrelayPrimitives

/// The text parameters of a request that are not empty, by FORT's names, once they have passed FORT's checks.
struct SandboxParameters {
    let texts: [String: String]

    /// First what is missing (001), then what does not belong (027), then each value in the order of FORT's table: a wrong
    /// kind or character (002), a length (032), a value that is not on the list (033), an amount (005), a currency (013).
    /// FORT tells the kind of error and not the parameter. The order of its checks is not documented.
    ///
    /// - Parameters:
    ///   - mandatory: besides what every request has.
    ///   - fields: the parameters with their limits; of several with one name, the first counts.
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

    /// Checked before, with the signature.
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
