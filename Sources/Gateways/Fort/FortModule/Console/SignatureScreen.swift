import AccessControl
import Console
import FortAPI
import HTTPTypes
import PaymentRelay
import PayrelayPrimitives

/// `GET` and `POST /console/signatures`: explains why a signature does not match, with the phrases of the
/// configured accounts. The phrases do not leave the process: a page names the mistake, and never shows the
/// signed text.
struct SignatureScreen: Sendable {
    let accounts: FortAccounts

    /// The maximum size of a message in bytes. It is limited because the diagnosis makes every mistake, and every
    /// pair of mistakes, with the message.
    private static let messageLimit = 16_384
    private static let parameterLimit = 100

    var screens: [Screen] {
        [
            Screen(.get, "/console/signatures", .look) { _ in .page(page(chosen: nil, [:])) },
            Screen(.post, "/console/signatures", .look, respond: explain),
        ]
    }

    private func page(chosen: String?, _ view: [String: View]) -> Page {
        var view = view
        view["accounts"] = View(
            accounts.entries.map { ["name": .text($0.name), "isChosen": .flag($0.name == chosen)] })
        return Page(template: "signature", title: "Signatures", menu: "Signatures", view: view)
    }

    @Sendable private func explain(_ request: ScreenRequest) throws -> ConsoleAnswer {
        let name = request.form["account"]
        func refused(_ reason: String) -> ConsoleAnswer {
            var page = page(
                chosen: name,
                ["error": .text(reason), "isRefused": true, "message": View(request.form["message"])])
            page.status = .badRequest
            return .page(page)
        }
        guard let account = name.flatMap({ accounts.entry(named: $0) })?.account else {
            return refused("Choose an account.")
        }
        guard let text = request.form["message"], text.utf8.count <= Self.messageLimit else {
            return refused("Paste FORT's message as JSON, of \(Self.messageLimit) bytes at most.")
        }
        guard let message = (try? JSON(parsing: Array(text.utf8)))?.objectValue else {
            return refused("That is not a JSON object. Paste FORT's request or answer as it was sent.")
        }
        guard message.members.count <= Self.parameterLimit else {
            return refused("It has more than \(Self.parameterLimit) parameters.")
        }
        guard let signature = request.form["signature"] ?? message["signature"]?.stringValue else {
            return refused("The message has no signature. Enter it below.")
        }
        let isAnswer = message["response_code"] != nil
        let diagnosis = SignatureDiagnosis(
            of: signature, over: message, phrase: isAnswer ? account.responsePhrase : account.requestPhrase,
            otherPhrase: isAnswer ? account.requestPhrase : account.responsePhrase, type: account.signatureType)
        return .page(
            page(
                chosen: name,
                [
                    "message": .text(text), "result": diagnosis.view,
                    "kind": .text(
                        isAnswer ? "an answer, with the response phrase" : "a request, with the request phrase"),
                ]))
    }
}

extension SignatureDiagnosis {
    fileprivate var view: View {
        switch self {
        case .correct: ["verdict": "The signature matches.", "tone": "good", "ways": []]
        case .notASignature:
            ["verdict": "That is not a signature. FORT's have 64 or 128 hex digits.", "tone": "bad", "ways": []]
        case .unexplained:
            [
                "verdict":
                    "The signature does not match, and no known mistake leads to it. Most likely it was made with another phrase, or over other values than the message has now.",
                "tone": "bad", "ways": [],
            ]
        case .mistaken(let ways):
            [
                "verdict": .text(
                    "The signature does not match. "
                        + (ways.count > 1 ? "One of these ways leads to it:" : "This leads to it:")), "tone": "bad",
                "ways": View(
                    ways.map { way in
                        [
                            "mistakes": View(
                                way.map {
                                    [
                                        "name": .text($0.name), "explanation": .text($0.explanation),
                                        "detail": View($0.detail),
                                    ]
                                })
                        ]
                    }),
            ]
        }
    }
}
