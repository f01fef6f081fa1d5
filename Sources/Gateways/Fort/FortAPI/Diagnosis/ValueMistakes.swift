import PayrelayPrimitives

extension SignatureExperiment {
    /// Mistakes in the way in which values are written into the text.
    static let values: [SignatureExperiment] = [
        SignatureExperiment(
            "empty-values-left-out",
            "Parameters without a value were left out of the text, but sent. FORT signs what it receives; best send none that are empty."
        ) { recipe in
            [
                Variant(recipe) { $0.message = $0.message.withoutEmpty },
                Variant(recipe, detail: "inside of objects too") { $0.message = $0.message.withoutEmptyThroughout },
            ]
        },
        SignatureExperiment(
            "empty-values-signed",
            "An optional parameter that is not sent stands in the text as `name=`. Sign what is sent and nothing else."
        ) { recipe in
            let absent = FortField.ofOrder.filter { !$0.isMandatory && recipe.message[$0.name] == nil }.map(\.name)
            return ([absent] + absent.map { [$0] }).map { names in
                Variant(recipe, detail: names.joined(separator: ", ")) { for name in names { $0.message[name] = "" } }
            }
        },
        SignatureExperiment("null-signed-as-word", "A value of null was signed as a word. It stands for nothing.") {
            recipe in
            ["null", "None", "nil"].map { word in
                Variant(recipe, detail: word) { $0.message = $0.message.mappingNulls(to: .string(word)) }
            }
        },
        SignatureExperiment(
            "slashes-escaped",
            "Slashes were signed as `\\/`, the way PHP's json_encode writes them. FORT signs the value itself, not its JSON.",
            everyText: { $0.replacingEach("/", with: "\\/") }),
        SignatureExperiment(
            "unicode-escaped",
            "Characters beyond ASCII were signed as `\\u` and digits, the way they may stand in JSON. FORT signs the value itself, in UTF-8.",
            everyText: { text in
                // Only `\u` escapes stay: the quotes around the text are removed, and other escapes are undone.
                String(decoding: JSON.string(text).encodedInASCII().dropFirst().dropLast(), as: UTF8.self)
                    .replacingEach("\\\"", with: "\"").replacingEach("\\\\", with: "\\")
            }),
        SignatureExperiment(
            "url-encoded", "Values were URL-encoded before they were signed. FORT signs the values themselves."
        ) {
            recipe in
            [
                Variant(recipe, detail: "spaces as %20") {
                    $0.message = $0.message.mappingTexts { $0.percentEncoded(except: "-_.~") }
                },
                Variant(recipe, detail: "spaces as +") {
                    $0.message = $0.message.mappingTexts {
                        $0.percentEncoded(except: "-_. ").replacingEach(" ", with: "+")
                    }
                },
            ]
        },
        SignatureExperiment(
            "plus-became-space",
            "Each `+` of a value was signed as a space: base64 or an email address was read as a form without having been encoded as one.",
            everyText: { $0.replacingEach("+", with: " ") }),
        SignatureExperiment(
            "values-html-encoded",
            "Special characters in values were signed as HTML entities (`&amp;`). FORT signs the values themselves.",
            everyText: \.htmlEncoded),
        SignatureExperiment(
            "values-trimmed", "Spaces around a value were left out of the text, but sent. Trim before both.",
            everyText: { $0.trimmedOfWhiteSpace }),
        SignatureExperiment(
            "values-untrimmed", "A value was signed with a space that is not sent. Trim before both."
        ) { recipe in
            recipe.message.members.flatMap { member -> [Variant] in
                guard let text = member.value.stringValue, !recipe.unsignedNames.contains(member.name) else {
                    return []
                }
                return [
                    Variant(recipe, detail: "before \(member.name)") { $0.message[member.name] = .string(" " + text) },
                    Variant(recipe, detail: "after \(member.name)") { $0.message[member.name] = .string(text + " ") },
                ]
            }
        },
        SignatureExperiment(
            "amount-in-major-units",
            "The amount was signed otherwise than it is sent: with a decimal point, or not in minor units. 100.00 AED is `10000`, in both."
        ) { recipe in
            recipe.message.otherAmounts.map { amount in Variant(recipe) { $0.message["amount"] = .string(amount) } }
        },
    ]
}

extension JSONObject {
    fileprivate var withoutEmpty: JSONObject {
        JSONObject(members.filter { $0.value != "" && $0.value != .null }.map { ($0.name, $0.value) })
    }

    fileprivate var withoutEmptyThroughout: JSONObject {
        JSONObject(
            withoutEmpty.members.map { ($0.name, $0.value.objectValue.map { .object($0.withoutEmpty) } ?? $0.value) })
    }

    fileprivate func mappingNulls(to word: JSON) -> JSONObject {
        JSONObject(
            members.map { member in
                if let object = member.value.objectValue {
                    return (member.name, .object(object.mappingNulls(to: word)))
                }
                return (member.name, member.value == .null ? word : member.value)
            })
    }

    /// The amount in other spellings: with and without decimals, and multiplied or divided by the currency's
    /// unit.
    fileprivate var otherAmounts: [String] {
        guard let text = self["amount"]?.scalarText else { return [] }
        guard let amount = Int(text), (0...9_999_999_999).contains(amount) else {
            return text.has(".") ? [text.replacingEach(".", with: ""), String(text.cut(at: ".").before)] : []
        }
        let exponent = Currency(code: self["currency"]?.stringValue ?? "")?.exponent ?? 2
        let unit = (0..<exponent).reduce(1) { product, _ in product * 10 }
        // The 1 in front keeps leading zeros: 5 of 100 becomes "105", then "05".
        let decimals = String(String(unit + amount % unit).dropFirst())
        let moved = exponent == 0 ? [] : ["\(amount / unit).\(decimals)", String(amount * unit)]
        let short = exponent > 0 && amount % unit == 0 ? [String(amount / unit), "\(amount / unit).0"] : []
        return moved + short + ["\(amount).0", "\(amount).00", "\(amount).000"]
    }
}

extension String {
    /// The text with `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&#039;` in place of the characters, as PHP's
    /// `htmlspecialchars` writes them.
    var htmlEncoded: String {
        // The ampersand is replaced first. Otherwise it would be replaced again in the other entities.
        replacingEach("&", with: "&amp;").replacingEach("<", with: "&lt;").replacingEach(">", with: "&gt;")
            .replacingEach("\"", with: "&quot;").replacingEach("'", with: "&#039;")
    }

    /// The text with these entities, `&#39;` and `&apos;` replaced by their characters.
    var htmlDecoded: String {
        replacingEach("&lt;", with: "<").replacingEach("&gt;", with: ">").replacingEach("&quot;", with: "\"")
            .replacingEach("&#039;", with: "'").replacingEach("&#39;", with: "'").replacingEach("&apos;", with: "'")
            .replacingEach("&amp;", with: "&")
    }

    /// Returns the text with all bytes except letters, digits and those of `others` escaped as `%XX`.
    func percentEncoded(except others: String) -> String {
        let kept = Set(others.utf8)
        return utf8.map { byte -> String in
            if byte.isASCIILetter || byte.isASCIIDigit || kept.contains(byte) { return String(Unicode.Scalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
