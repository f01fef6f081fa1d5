public import PayrelayPrimitives

/// Why a signature is not that of a message: which known mistake, or which two together, lead to it.
///
/// There is no cleverness in it. Every mistake is made and the result compared, first each alone, then two at a time.
public enum SignatureDiagnosis: Hashable, Sendable {
    /// It is the message's signature.
    case correct
    /// The mistakes that lead to it: one, or two made together, besides those of spelling (upper case, base64). Where
    /// several ways lead to the same signature, each.
    case mistaken([[SignatureMistake]])
    /// No known mistake leads to it: another phrase or another message was signed.
    case unexplained
    /// The text is no digest of 20, 32 or 64 bytes, in hex or in base64.
    case notASignature

    /// - Parameters:
    ///   - signature: that was found, or that FORT refused.
    ///   - message: as it was sent, or as it came.
    ///   - phrase: the right one of the account's two: the request phrase for what is sent, the response phrase for what
    ///     comes back.
    ///   - otherPhrase: the other one, if it is known.
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

    /// Two mistakes that can be made in more ways than this together are not tried; it keeps an answer within a second.
    private static let combinationLimit = 40
}

extension SignatureRecipe {
    fileprivate func leads(to signature: String) -> Bool {
        hash.hexadecimalLength == signature.utf8.count && hexadecimal == signature
    }
}

/// Something that was done otherwise than FORT does it when a signature was computed.
public struct SignatureMistake: Hashable, Sendable {
    /// A short name that does not change: `phrase-missing-at-end`.
    public let name: String
    /// The mistake in words, and the way in which FORT does it.
    public let explanation: String
    /// Where in this message, if that is to be said: the names of parameters, never their values.
    public let detail: String?

    init(_ name: String, _ explanation: String, detail: String? = nil) {
        self.name = name
        self.explanation = explanation
        self.detail = detail
    }
}
