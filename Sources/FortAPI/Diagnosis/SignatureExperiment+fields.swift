import Primitives

extension SignatureExperiment {
    /// Which parameters are signed. FORT signs every one that is sent but the signature.
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
            for name in recipe.message.names where name.hasPrefix("apple_") { recipe.message[name] = nil }
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
