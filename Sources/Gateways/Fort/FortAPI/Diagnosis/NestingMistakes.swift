import PayrelayPrimitives

/// FORT's format: `apple_header={apple_ephemeralPublicKey=…, apple_publicKeyHash=…, apple_transactionId=…}`.
private let rule = "FORT reads `{name=value, name=value}`: no quotes, a comma and a space between."

extension SignatureExperiment {
    /// Mistakes in the way in which objects and lists are written into the text.
    static let nesting: [SignatureExperiment] = [
        SignatureExperiment(
            "nested-as-json", "Objects were signed as JSON text. \(rule)",
            nested: [
                ("compact", { $0.jsonText() }),
                ("with a space after each comma and colon", { $0.jsonText(comma: ", ", colon: ": ") }),
                ("with slashes escaped as \\/", { $0.jsonText().replacingEach("/", with: "\\/") }),
            ]),
        SignatureExperiment(
            "nested-with-other-separators", "Something else stands between the members of an object. \(rule)",
            nested: [",", "", "&", ";", "; ", " ", "|"].map { separator in
                (separator.isEmpty ? "nothing" : "\"\(separator)\"", { $0.joined(by: separator) })
            }),
        SignatureExperiment(
            "nested-without-braces", "Objects were signed without braces around them. \(rule)",
            nested: [", ", ",", "", "&"].map { separator in
                (
                    separator.isEmpty ? "nothing between the members" : "\"\(separator)\" between the members",
                    { $0.joined(by: separator, open: "", close: "") }
                )
            }),
        SignatureExperiment(
            "nested-with-quotes", "Names or values inside of objects stand in quotes. \(rule)",
            nested: [
                ("values in double quotes", { $0.joined(by: ", ", valueQuote: "\"") }),
                ("names and values in double quotes", { $0.joined(by: ", ", nameQuote: "\"", valueQuote: "\"") }),
                ("values in single quotes", { $0.joined(by: ", ", valueQuote: "'") }),
                ("names and values in single quotes", { $0.joined(by: ", ", nameQuote: "'", valueQuote: "'") }),
            ]),
        SignatureExperiment(
            "nested-with-colons", "Inside of objects a colon stands between name and value. \(rule)",
            nested: [
                ("a colon and a space", { $0.joined(by: ", ", equals: ": ") }),
                ("a colon", { $0.joined(by: ", ", equals: ":") }),
                (
                    "as Python prints a dictionary",
                    { $0.joined(by: ", ", equals: ": ", nameQuote: "'", valueQuote: "'") }
                ),
            ]),
        SignatureExperiment(
            "nested-with-trailing-separator", "A separator stands after the last member of an object too. \(rule)",
            nested: [", ", ","].map { end in ("\"\(end)\"", { $0.joined(by: ", ", close: end + "}") }) }),
        SignatureExperiment(
            "nested-trimmed-at-end",
            "Commas and spaces at the end of an object's last value were cut off, as APS's plugins do (`rtrim`). Send the value without them.",
            nested: [(nil, \.withoutTrailingSeparators)]),
        SignatureExperiment(
            "nested-printed-as-type",
            "A placeholder of the programming language was signed in place of an object. \(rule)",
            nested: ["Array", "[object Object]"].map { placeholder in (placeholder, { _ in placeholder }) }),
        SignatureExperiment(
            "nested-names-without-prefix",
            "The names inside of objects were signed without their prefix `apple_`. Sign the names that are sent."
        ) { (recipe: inout SignatureRecipe) in
            recipe.message = recipe.message.mappingNested { $0.renamed { $0.droppingApplePrefix }.joined(by: ", ") }
        },
        SignatureExperiment(
            "nested-flattened",
            "The members of objects were signed as parameters of their own. They belong inside of `apple_header={…}` and `apple_paymentMethod={…}`."
        ) { (recipe: inout SignatureRecipe) in
            recipe.message = JSONObject(
                recipe.message.members.flatMap { member in
                    member.value.objectValue?.members.map { ($0.name, $0.value) } ?? [(member.name, member.value)]
                })
        },
        SignatureExperiment("nested-left-out", "Objects were not signed at all. FORT signs every parameter. \(rule)") {
            (recipe: inout SignatureRecipe) in
            recipe.message = JSONObject(
                recipe.message.members.filter { !$0.value.isNested }.map { ($0.name, $0.value) })
        },
        SignatureExperiment(
            "application-data-in-header",
            "apple_applicationData was signed inside of apple_header, as some of APS's plugins do. It is a parameter of its own."
        ) { recipe in
            guard let data = recipe.message["apple_applicationData"],
                var header = recipe.message["apple_header"]?.objectValue
            else { return [] }
            return [("apple_applicationData", "last"), ("applicationData", "last, without its prefix")].map {
                name, detail in
                Variant(recipe, detail: detail) {
                    header[name] = data
                    $0.message["apple_header"] = .object(header)
                    $0.message["apple_applicationData"] = nil
                }
            }
        },
    ]
}

extension String {
    fileprivate var droppingApplePrefix: String { after("apple_").map(String.init) ?? self }
}

extension JSON {
    /// Returns the object in FORT's format, with the given deviations.
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

    /// Returns the value as JSON, with the given separators.
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

    /// The object in FORT's format, without commas and spaces at the end of the last value.
    var withoutTrailingSeparators: String {
        let text = joined(by: ", ", close: "")
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: " ") }
        return (end.map { String(text[..<text.utf8.index(after: $0)]) } ?? "") + "}"
    }

    /// Returns the object with its names changed.
    func renamed(_ rename: (String) -> String) -> JSON {
        guard let object = objectValue else { return self }
        return .object(JSONObject(object.members.map { (rename($0.name), $0.value) }))
    }
}
