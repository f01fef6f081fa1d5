import FortAPI
import PayrelayPrimitives

/// What FORT answered, as a receipt has it, with the code explained.
struct FortSaid: Sendable {
    private let receipt: JSONObject
    private let isOpen: Bool

    /// - Parameters:
    ///   - receipt: nil where there is no answer yet.
    ///   - isOpen: whether what it is about is not decided yet.
    init(receipt: [UInt8]?, isOpen: Bool) {
        self.isOpen = isOpen
        self.receipt = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
    }

    private func text(_ name: String) -> String? {
        receipt[name]?.scalar ?? receipt["processor_response"]?[name]?.scalar
    }

    /// `none` where FORT has not answered.
    var view: View {
        guard let code = text("response_code") else {
            return text("reason").map { ["code": nil, "reason": .text($0)] } ?? .none
        }
        let entry = FortCodeEntry(code)
        let acquirer = text("acquirer_response_code")
        return [
            "code": .text(code), "link": entry.map { .text("/console/codes/\($0.code)") } ?? .none,
            "message": View(text("response_message")), "reason": View(text("reason")),
            "status": View(entry?.texts.first), "explanation": View(explanation(of: entry)),
            "advice": View(entry?.advice),
            "acquirer": acquirer.map { code in
                [
                    "code": .text(code),
                    "text": View(FortCodeEntry(acquirerCode: code)?.texts.joined(separator: "; or: ")),
                ]
            } ?? .none,
        ]
    }

    /// What the answer means, which the code alone may not tell: FORT's status belongs to it.
    private func explanation(of entry: FortCodeEntry?) -> String? {
        guard let meaning = text("response_class").flatMap(FortCode.Class.init) ?? entry?.class else { return nil }
        guard meaning == .uncertain, !isOpen else { return meaning.explanation }
        return "This code alone does not tell whether money moved. FORT's status did, or CHECK_STATUS."
    }

    static let cardName = "Card"
    static let emailName = "Email"

    /// What a support desk is asked for.
    var facts: [(String, String?)] {
        [
            ("FORT's number", text("fort_id")), ("Paid with", text("payment_option")),
            (Self.cardName, text("card_number")),
            ("Name on the card", text("card_holder_name")), ("Authorization code", text("authorization_code")),
            ("Customer", text("customer_name")), (Self.emailName, text("customer_email")),
            ("Phone", text("phone_number")),
        ]
    }

    /// FORT's whole answer as JSON, if any. What is a credential is masked.
    var raw: String? {
        guard let response = receipt["processor_response"]?.objectValue else { return nil }
        let shown = response.members.map { member in
            (member.name, Self.credentials.contains(member.name) ? JSON.string("•••") : member.value)
        }
        return JSON.object(JSONObject(shown)).formatted()
    }

    private static let credentials: Set = ["access_code", "sdk_token", "signature", "token_name"]
}

extension JSON {
    fileprivate var scalar: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let literal): literal
        default: nil
        }
    }
}
