import PayrelayPrimitives

extension SignatureExperiment {
    /// Mistakes in the choice of the signed parameters. FORT signs every parameter that is sent except the
    /// signature.
    static let fields: [SignatureExperiment] = [
        SignatureExperiment(
            "signature-signed", "The parameter `signature` was part of the text. It is the only one that is left out."
        ) { recipe in
            let present = Variant(recipe, detail: "with the value in the message") { $0.unsignedNames = [] }
            let empty = Variant(recipe, detail: "without a value") {
                $0.unsignedNames = []
                $0.message["signature"] = ""
            }
            return recipe.message["signature"] == nil ? [empty] : [present, empty]
        },
        SignatureExperiment(
            "parameter-left-out",
            "A parameter that is sent was left out of the text. FORT signs every parameter but `signature`."
        ) { recipe in
            recipe.message.names.filter { !recipe.unsignedNames.contains($0) }.map { name in
                Variant(recipe, detail: name) { $0.message[name] = nil }
            }
        },
        SignatureExperiment(
            "apple-parameters-left-out",
            "The parameters of Apple's token were left out of the text. FORT signs every parameter but `signature`."
        ) { (recipe: inout SignatureRecipe) in
            for name in recipe.message.names where name.begins(with: "apple_") { recipe.message[name] = nil }
        },
        SignatureExperiment(
            "card-parameters-left-out",
            "The parameters of the card were left out of the text. That is right for a tokenization request only."
        ) { (recipe: inout SignatureRecipe) in
            for name in ["card_number", "expiry_date", "card_holder_name", "card_security_code", "remember_me"] {
                recipe.message[name] = nil
            }
        },
        SignatureExperiment(
            "parameter-not-sent",
            "The text holds a parameter that is not in the message. Sign what is sent and nothing else."
        ) { recipe in
            let usual: [(String, JSON)] = [
                ("digital_wallet", "APPLE_PAY"), ("eci", "ECOMMERCE"), ("language", "en"), ("language", "ar"),
                ("command", "PURCHASE"), ("command", "AUTHORIZATION"), ("recurring_mode", "UNSCHEDULED"),
            ]
            return usual.filter { recipe.message[$0.0] == nil }.map { name, value in
                Variant(recipe, detail: "\(name)=\(value.stringValue ?? "")") { $0.message[name] = value }
            }
        },
    ]
}

extension SignatureExperiment {
    /// Mistakes in the order of the pairs.
    static let order: [SignatureExperiment] = [
        SignatureExperiment(
            "pairs-sorted",
            "The joined `name=value` texts were sorted, and not the names: `merchant_extra1=` then stands before `merchant_extra=`. FORT sorts the names."
        ) { (recipe: inout SignatureRecipe) in recipe.order = .pairs },
        SignatureExperiment(
            "unsorted", "The parameters were signed in the order of the message. FORT sorts them by name, ascending."
        ) { (recipe: inout SignatureRecipe) in recipe.order = .asWritten },
        SignatureExperiment(
            "sorted-ignoring-case",
            "The names were sorted without regard to case. FORT sorts them by byte: every capital letter stands before `a`."
        ) { (recipe: inout SignatureRecipe) in recipe.order = .namesIgnoringCase },
        SignatureExperiment(
            "inner-names-sorted",
            "The names inside of objects were sorted for the signature only. They must be signed in the order in which they are sent."
        ) { (recipe: inout SignatureRecipe) in recipe.message = recipe.message.withInnerNamesSorted },
        SignatureExperiment(
            "inner-names-in-another-order",
            "The names inside of an object were signed in another order than the one in which they are sent. Sign and write the JSON from one ordered structure; many languages' dictionaries have no order."
        ) { recipe in
            recipe.message.innerOrders.filter { $0 != recipe.message && $0 != recipe.message.withInnerNamesSorted }
                .map { message in
                    let orders = message.members.compactMap { member in
                        member.value.objectValue.map { "\(member.name): \($0.names.joined(separator: ", "))" }
                    }
                    return Variant(recipe, detail: orders.joined(separator: "; ")) { $0.message = message }
                }
        },
    ]
}

extension JSONObject {
    fileprivate var withInnerNamesSorted: JSONObject {
        JSONObject(members.map { ($0.name, $0.value.objectValue.map { .object($0.sortedByName()) } ?? $0.value) })
    }

    /// Every combination of orders of the members in the objects of this message, including the present order.
    /// Only the first two objects with two or three members are reordered: FORT's two objects have three.
    fileprivate var innerOrders: [JSONObject] {
        let reordered = members.filter { (2...3).contains($0.value.objectValue?.members.count ?? 0) }.prefix(2)
        return reordered.reduce(into: [self]) { orders, member in
            guard let inner = member.value.objectValue else { return }
            orders = orders.flatMap { order in
                inner.permutations.map { permutation in
                    var changed = order
                    changed[member.name] = .object(permutation)
                    return changed
                }
            }
        }
    }

    private var permutations: [JSONObject] {
        guard members.count > 1 else { return [self] }
        return members.flatMap { first in
            var rest = self
            rest[first.name] = nil
            return rest.permutations.map {
                JSONObject([(first.name, first.value)] + $0.members.map { ($0.name, $0.value) })
            }
        }
    }
}

extension SignatureExperiment {
    /// Mistakes in the way in which the pairs are joined.
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
