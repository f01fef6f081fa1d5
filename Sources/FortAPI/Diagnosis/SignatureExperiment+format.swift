import Primitives

extension SignatureExperiment {
    /// How the pairs are joined to a text.
    static let format: [SignatureExperiment] = [
        SignatureExperiment(
            "pairs-separated", "Something stands between the pairs. FORT joins `name=value` with nothing between."
        ) { recipe in
            ["&", ", ", ",", ";", "|", " ", "\n"].map { separator in
                Variant(recipe, detail: separator == "\n" ? "a line break" : "\"\(separator)\"") {
                    $0.separator = separator
                }
            }
        },
        SignatureExperiment("pairs-with-colons", "Something else than `=` stands between name and value.") { recipe in
            [":", ": ", "", " = "].map { equals in
                Variant(recipe, detail: equals.isEmpty ? "nothing" : "\"\(equals)\"") { $0.equals = equals }
            }
        },
        SignatureExperiment(
            "names-left-out", "The values were signed without their names. FORT joins `name=value`."
        ) { (recipe: inout SignatureRecipe) in recipe.writesNames = false },
        SignatureExperiment(
            "json-signed", "The message was signed as JSON. FORT signs its parameters, joined as `name=value`."
        ) { recipe in
            var message = recipe.message
            for name in recipe.unsignedNames { message[name] = nil }
            return [("as written", message), ("sorted by name", message.sortedByName())].map { detail, message in
                Variant(recipe, detail: detail) {
                    $0.text = String(decoding: JSON.object(message).encoded(), as: UTF8.self)
                }
            }
        },
    ]
}
