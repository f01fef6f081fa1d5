import Console
import FortAPI
import PayrelayPrimitives

extension GatewayPages {
    /// Returns the pages for FORT's codes and signatures, and the explanation of FORT's answers.
    ///
    /// - Parameter accounts: the accounts whose phrases are used to explain signatures. No page shows a phrase.
    static func ofFort(_ accounts: FortAccounts) -> GatewayPages {
        GatewayPages(
            gateway: FortModule.name, screens: CodeScreen().screens + SignatureScreen(accounts: accounts).screens,
            menu: [("FORT codes", "/console/codes"), ("Signatures", "/console/signatures")],
            templates: [
                ("code", PackageResources.code_mustache), ("codes", PackageResources.codes_mustache),
                ("signature", PackageResources.signature_mustache),
            ],
            explain: { ExplainedAnswer(receipt: $0, isOpen: $1).parts },
            page: { text in
                FortCodeEntry(text).map { ("\($0.code), a code of FORT's", CodeScreen.path(of: $0)) }
            })
    }
}

/// The explanation of an answer's code.
private struct ExplainedAnswer {
    let receipt: JSONObject
    /// Whether the outcome of the payment or the operation is still open.
    let isOpen: Bool

    private func text(_ name: String) -> String? {
        let text = (receipt[name] ?? receipt["processor_response"]?[name])?.scalarText
        return text?.isEmpty == true ? nil : text
    }

    var parts: [String: View] {
        guard let code = text("response_code") else { return [:] }
        let entry = FortCodeEntry(code)
        let sentences = sentences(of: code)
        return [
            "code": .text(code), "link": View(entry.map(CodeScreen.path)), "status": View(entry?.texts.first),
            "explanation": View(sentences == nil ? explanation(of: entry) : nil), "advice": View(entry?.advice),
            "happened": View(sentences?.whatHappened),
            "customer": View(sentences?.customerSentence(in: .english)),
            "customerArabic": View(sentences?.customerSentence(in: .arabic)),
            "acquirer": text("acquirer_response_code").map { code in
                [
                    "code": .text(code),
                    "text": View(FortCodeEntry(acquirerCode: code)?.texts.joined(separator: "; or: ")),
                ]
            } ?? .none,
        ]
    }

    /// Returns the code's sentences for the operator and the customer. Returns `nil` if the code does not fit the
    /// present state: the code decides but the outcome is open, or CHECK_STATUS or feedback decided instead of
    /// the code.
    private func sentences(of code: String) -> FortSentences? {
        guard let code = FortCode(code) else { return nil }
        let meaning = text("response_class").flatMap(FortCode.Class.init) ?? code.class
        let decides = meaning == .success || meaning.provesNoMoneyMoved
        guard decides != isOpen else { return nil }
        return code.sentences(
            answering: text("command").flatMap(FortCommand.init), acquirerCode: text("acquirer_response_code"))
    }

    /// Returns the meaning of the answer in words. The meaning also depends on FORT's status, so the class in the
    /// receipt comes before the code's own class.
    private func explanation(of entry: FortCodeEntry?) -> String? {
        guard let meaning = text("response_class").flatMap(FortCode.Class.init) ?? entry?.class else { return nil }
        guard meaning == .uncertain, !isOpen else { return meaning.explanation }
        return "This code by itself does not show whether money moved. FORT's status did, or CHECK_STATUS."
    }
}
