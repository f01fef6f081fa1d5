extension SignatureExperiment {
    /// How the text is hashed.
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
