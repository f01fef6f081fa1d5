import PayrelayPrimitives

/// A known mistake and the ways to make it, to find out whether it leads to a given signature.
struct SignatureExperiment: Sendable {
    struct Variant: Sendable {
        let recipe: SignatureRecipe
        let detail: String?
    }

    let name: String
    let explanation: String
    /// Returns every way to make the mistake with this recipe; empty if the mistake cannot be made.
    let variants: @Sendable (SignatureRecipe) -> [Variant]

    /// Every known mistake. Two mistakes are combined in this order, so that a mistake in a message's values is
    /// made before the values are rewritten as text.
    static let all = fields + values + order + nesting + format + phrase + algorithm

    init(_ name: String, _ explanation: String, variants: @escaping @Sendable (SignatureRecipe) -> [Variant]) {
        self.name = name
        self.explanation = explanation
        self.variants = variants
    }

    /// Creates a mistake that is made in one way.
    init(_ name: String, _ explanation: String, change: @escaping @Sendable (inout SignatureRecipe) -> Void) {
        self.init(name, explanation) { recipe in [Variant(recipe, change: change)] }
    }

    /// Creates a mistake that changes the text of every value, including inner values.
    init(_ name: String, _ explanation: String, everyText: @escaping @Sendable (String) -> String) {
        self.init(name, explanation) { (recipe: inout SignatureRecipe) in
            recipe.message = recipe.message.mappingTexts(everyText)
        }
    }

    /// Creates a mistake that changes how every object and list in the message is written, with one variant for
    /// each way.
    init(
        _ name: String, _ explanation: String,
        nested ways: [(detail: String?, text: @Sendable (JSON) -> String)]
    ) {
        self.init(name, explanation) { recipe in
            ways.map { way in Variant(recipe, detail: way.detail) { $0.message = $0.message.mappingNested(way.text) } }
        }
    }

    func mistake(_ variant: Variant) -> SignatureMistake {
        SignatureMistake(name, explanation, detail: variant.detail)
    }
}

extension SignatureExperiment.Variant {
    init(_ recipe: SignatureRecipe, detail: String? = nil, change: (inout SignatureRecipe) -> Void) {
        var changed = recipe
        change(&changed)
        self.init(recipe: changed, detail: detail)
    }
}

extension JSONObject {
    /// Returns the object with every string in it, at every level, rewritten.
    func mappingTexts(_ rewrite: (String) -> String) -> JSONObject {
        JSONObject(members.map { ($0.name, $0.value.mappingTexts(rewrite)) })
    }

    /// Returns the object with every object and list in it replaced by a text.
    func mappingNested(_ text: (JSON) -> String) -> JSONObject {
        JSONObject(members.map { ($0.name, $0.value.isNested ? .string(text($0.value)) : $0.value) })
    }
}

extension JSON {
    /// Whether the value is an object or a list.
    var isNested: Bool { objectValue != nil || arrayValue != nil }

    fileprivate func mappingTexts(_ rewrite: (String) -> String) -> JSON {
        switch self {
        case .string(let text): .string(rewrite(text))
        case .array(let elements): .array(elements.map { $0.mappingTexts(rewrite) })
        case .object(let object): .object(object.mappingTexts(rewrite))
        case .null, .bool, .number: self
        }
    }
}
