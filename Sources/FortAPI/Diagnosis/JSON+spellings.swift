import Primitives

extension JSON {
    /// This object as FORT writes it, but for what is said otherwise.
    func joined(
        by separator: String, equals: String = "=", open: String = "{", close: String = "}", nameQuote: String = "",
        valueQuote: String = ""
    ) -> String {
        guard let object = objectValue else { return CanonicalText.text(of: self) }
        let members = object.members.map { member in
            nameQuote + member.name + nameQuote + equals + valueQuote + CanonicalText.text(of: member.value)
                + valueQuote
        }
        return open + members.joined(separator: separator) + close
    }

    /// This value as JSON, with other separators.
    func jsonText(comma: String = ",", colon: String = ":") -> String {
        switch self {
        case .object(let object):
            "{"
                + object.members.map {
                    JSON.string($0.name).jsonText() + colon + $0.value.jsonText(comma: comma, colon: colon)
                }
                .joined(separator: comma) + "}"
        case .array(let elements):
            "[" + elements.map { $0.jsonText(comma: comma, colon: colon) }.joined(separator: comma) + "]"
        default: String(decoding: encoded(), as: UTF8.self)
        }
    }

    /// This object as FORT writes it, but for commas and spaces at the end of the last value.
    var withoutTrailingSeparators: String {
        let text = joined(by: ", ", close: "")
        let end = text.reversed().drop { $0 == "," || $0 == " " }
        return String(end.reversed()) + "}"
    }

    /// This object with other names.
    func renamed(_ rename: (String) -> String) -> JSON {
        guard let object = objectValue else { return self }
        return .object(JSONObject(object.members.map { (rename($0.name), $0.value) }))
    }
}
