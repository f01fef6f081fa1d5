public import PayrelayPrimitives

/// The diagnosis of a signature: the known mistake, or the two known mistakes, with which a message gets this
/// signature.
///
/// The diagnosis tries everything: it makes every mistake and compares the result, first each mistake alone, then
/// every pair.
public enum SignatureDiagnosis: Hashable, Sendable {
    /// The signature is the message's.
    case correct
    /// The ways that lead to the signature. Each way is one mistake, or two mistakes made together, and also
    /// lists mistakes in the signature's spelling (upper case, base64).
    case mistaken([[SignatureMistake]])
    /// No known mistake leads to the signature: another phrase or another message was signed.
    case unexplained
    /// The text is not a digest of 20, 32 or 64 bytes in hex or base64.
    case notASignature

    /// Diagnoses a signature.
    ///
    /// - Parameters:
    ///   - signature: the signature that was found, or that FORT rejected.
    ///   - message: the message as it was sent or received.
    ///   - phrase: the account's right phrase for the message: the request phrase for a request, the response
    ///     phrase for an answer.
    ///   - otherPhrase: the account's other phrase; `nil` if it is not known.
    ///   - type: the account's SHA type.
    public init(
        of signature: String, over message: JSONObject, phrase: Secret, otherPhrase: Secret? = nil,
        type: FortSignatureType
    ) {
        guard let spelling = SignatureSpelling(signature.trimmedOfWhiteSpace) else {
            self = .notASignature
            return
        }
        let right = SignatureRecipe(message: message, phrase: phrase, otherPhrase: otherPhrase, type: type)
        if right.leads(to: spelling.hexadecimal) {
            self = spelling.mistakes.isEmpty ? .correct : .mistaken([spelling.mistakes])
            return
        }
        var ways = SignatureDiagnosis.singles(from: right, to: spelling.hexadecimal)
        if ways.isEmpty { ways = SignatureDiagnosis.pairs(from: right, to: spelling.hexadecimal) }
        self = ways.isEmpty ? .unexplained : .mistaken(ways.map { $0 + spelling.mistakes })
    }

    private static func singles(from right: SignatureRecipe, to signature: String) -> [[SignatureMistake]] {
        SignatureExperiment.all.compactMap { experiment in
            experiment.variants(right).first { $0.recipe.leads(to: signature) }.map { [experiment.mistake($0)] }
        }
    }

    private static func pairs(from right: SignatureRecipe, to signature: String) -> [[SignatureMistake]] {
        let experiments = SignatureExperiment.all.map { (experiment: $0, variants: $0.variants(right)) }
        var ways: [[SignatureMistake]] = []
        for (place, first) in experiments.enumerated() {
            for second in experiments[(place + 1)...]
            where first.variants.count * second.variants.count <= combinationLimit {
                let way = first.variants.lazy.flatMap { one in
                    second.experiment.variants(one.recipe).map { (one: one, other: $0) }
                }.first { $0.other.recipe.leads(to: signature) }
                if let way { ways.append([first.experiment.mistake(way.one), second.experiment.mistake(way.other)]) }
            }
        }
        return ways
    }

    /// The maximum number of combinations of two mistakes. Pairs with more combinations are not tried, so that a
    /// diagnosis takes less than a second.
    private static let combinationLimit = 40
}

extension SignatureRecipe {
    fileprivate func leads(to signature: String) -> Bool {
        hash.hexadecimalLength == signature.utf8.count && hexadecimal == signature
    }
}

/// A deviation from FORT's way of computing a signature.
public struct SignatureMistake: Hashable, Sendable {
    /// A short, stable name such as `phrase-missing-at-start`.
    public let name: String
    /// The mistake in words, and FORT's way.
    public let explanation: String
    /// The place of the mistake in this message, if there is one to name: names of parameters, never their
    /// values.
    public let detail: String?

    init(_ name: String, _ explanation: String, detail: String? = nil) {
        self.name = name
        self.explanation = explanation
        self.detail = detail
    }
}
