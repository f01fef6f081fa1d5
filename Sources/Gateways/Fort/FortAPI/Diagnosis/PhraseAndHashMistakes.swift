import PayrelayPrimitives

extension SignatureExperiment {
    /// Mistakes with the SHA phrase before and after the text.
    static let phrase: [SignatureExperiment] = [
        SignatureExperiment(
            "phrase-missing-at-start",
            "The phrase does not stand before the text. FORT hashes phrase, text, phrase."
        ) { (recipe: inout SignatureRecipe) in recipe.opening = "" },
        SignatureExperiment(
            "phrase-missing-at-end",
            "The phrase does not stand after the text. FORT hashes phrase, text, phrase."
        ) { (recipe: inout SignatureRecipe) in recipe.closing = "" },
        SignatureExperiment(
            "phrase-missing",
            "The phrase stands at neither end of the text. FORT hashes phrase, text, phrase, in an HMAC too."
        ) { (recipe: inout SignatureRecipe) in (recipe.opening, recipe.closing) = ("", "") },
        SignatureExperiment(
            "other-phrase",
            "The other phrase was used. The request phrase signs what goes to FORT, the response phrase what comes from it."
        ) { recipe in
            guard let other = recipe.otherPhrase else { return [] }
            return [Variant(recipe) { $0.rewritePhrases { _ in other } }]
        },
        SignatureExperiment(
            "phrases-mixed", "One phrase stands before the text and the other after it. Both must be the same."
        ) { recipe in
            guard let other = recipe.otherPhrase else { return [] }
            return [
                Variant(recipe, detail: "the other phrase stands after the text") { $0.closing = other },
                Variant(recipe, detail: "the other phrase stands before the text") { $0.opening = other },
            ]
        },
        SignatureExperiment(
            "phrase-with-line-break",
            "The phrase ends with a line break, as a file does that an editor or `echo` wrote. The phrase itself has none."
        ) { recipe in ["\n", "\r\n"].map { end in Variant(recipe) { $0.rewritePhrases { $0 + end } } } },
        SignatureExperiment(
            "phrase-with-space", "The phrase has a space before or after it that is not part of it."
        ) { recipe in
            [
                Variant(recipe, detail: "a space before") { $0.rewritePhrases { " " + $0 } },
                Variant(recipe, detail: "a space after") { $0.rewritePhrases { $0 + " " } },
            ]
        },
        rewritten(
            "phrase-given-with-white-space",
            "The signature is made with the phrase as it is given here, but without the white space around it. A file must hold the phrase and no line break.",
            { $0.trimmedOfWhiteSpace }),
        rewritten(
            "phrase-html-decoded",
            "HTML entities in the phrase were decoded (`&amp;` to `&`), as some of APS's plugins do. FORT takes the phrase as it stands in the dashboard.",
            \.htmlDecoded),
        rewritten(
            "phrase-html-encoded",
            "Special characters of the phrase were encoded as HTML entities (`&` to `&amp;`). FORT takes the phrase as it stands in the dashboard.",
            \.htmlEncoded),
        SignatureExperiment(
            "phrase-in-quotes", "The phrase stands in quotes that are not part of it, left over from a settings file."
        ) { recipe in ["\"", "'"].map { quote in Variant(recipe) { $0.rewritePhrases { quote + $0 + quote } } } },
        rewritten(
            "phrase-expanded",
            "A shell or a settings file replaced `$name` in the phrase by nothing. Put the phrase in single quotes, or in a file.",
            { $0.replacing(/\$\{?[A-Za-z_0-9]+\}?/, with: "") }),
        rewritten(
            "phrase-cut-at-hash",
            "The phrase was cut off at a `#`, where a settings file takes the rest for a comment. Quote it, or put it in a file.",
            { String($0.cut(at: "#").before) }),
    ]

    private static func rewritten(
        _ name: String, _ explanation: String, _ rewrite: @escaping @Sendable (String) -> String
    ) -> SignatureExperiment {
        SignatureExperiment(name, explanation) { (recipe: inout SignatureRecipe) in recipe.rewritePhrases(rewrite) }
    }
}

extension SignatureRecipe {
    /// Changes the phrase in every place, including the key.
    fileprivate mutating func rewritePhrases(_ rewrite: (String) -> String) {
        (opening, closing, key) = (rewrite(opening), rewrite(closing), rewrite(key))
    }
}

extension SignatureExperiment {
    /// Mistakes in the way in which the text is hashed.
    static let algorithm: [SignatureExperiment] =
        [
            hashed("sha256", "SHA-256", .sha256, keyed: false),
            hashed("sha512", "SHA-512", .sha512, keyed: false),
            hashed("hmac-sha256", "HMAC-SHA256", .sha256, keyed: true),
            hashed("hmac-sha512", "HMAC-SHA512", .sha512, keyed: true),
            hashed("sha1", "SHA-1 (the dashboard's SHA-128)", .sha1, keyed: false),
            hashed("hmac-sha1", "HMAC-SHA1", .sha1, keyed: true),
            SignatureExperiment(
                "hmac-key-empty",
                "The HMAC's key is empty. The phrase is the key, and stands at both ends of the text as well."
            ) { recipe in recipe.isKeyed ? [Variant(recipe) { $0.key = "" }] : [] },
            SignatureExperiment(
                "hmac-key-other-phrase",
                "The HMAC's key is the other of the two phrases. It must be the one that stands at the ends of the text."
            ) { recipe in
                guard recipe.isKeyed, let other = recipe.otherPhrase else { return [] }
                return [Variant(recipe) { $0.key = other }]
            },
        ]

    private static func hashed(
        _ name: String, _ title: String, _ hash: SignatureRecipe.Hash, keyed: Bool
    ) -> SignatureExperiment {
        SignatureExperiment(
            "hashed-with-\(name)",
            "The text was hashed with \(title), which is not the SHA type given here. Both must be the account's, as the dashboard shows it under Security Settings."
        ) { (recipe: inout SignatureRecipe) in
            recipe.hash = hash
            recipe.isKeyed = keyed
        }
    }
}
