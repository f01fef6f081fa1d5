import PaymentRelay
import PayrelayPrimitives

/// A processor's answer on a payment's page: what a receipt has of it, in the order of the processor's fields, and what its module
/// explains of it.
struct AnswerShown {
    private let receipt: JSONObject
    private let fields: AnswerFields
    private let pages: ProcessorPages?
    private let isOpen: Bool

    /// - Parameters:
    ///   - receipt: nil where there is no answer yet.
    ///   - pages: of the processor; nil where it is not configured any more.
    ///   - isOpen: whether what it is about is not decided yet.
    init(receipt: [UInt8]?, fields: AnswerFields, pages: ProcessorPages?, isOpen: Bool) {
        self.receipt = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
        self.fields = fields
        self.pages = pages
        self.isOpen = isOpen
    }

    /// Of the receipt, or of the whole answer in it.
    private func text(_ name: String) -> String? {
        receipt[name]?.scalar ?? receipt["processor_response"]?[name]?.scalar
    }

    /// `none` where there is no answer.
    var view: View {
        let reason = text("reason")
        guard receipt["processor_response"] != nil else { return reason.map { ["reason": .text($0)] } ?? .none }
        var parts = pages?.explain(receipt, isOpen) ?? [:]
        parts["message"] = View(fields.message.flatMap(text))
        parts["reason"] = View(reason)
        return .parts(parts)
    }

    /// What a support desk is asked for, with the list of other payments of the same card or email.
    var facts: [(name: String, value: String, link: String?)] {
        fields.all.compactMap { field in
            guard let title = field.title, let value = text(field.name) else { return nil }
            let searched =
                switch field.name {
                case fields.cardNumber: String(value.suffix(4))
                case fields.customerEmail: value
                default: nil as String?
                }
            return (title, value, searched.map { Links.payments([("q", $0)]) })
        }
    }

    /// The whole answer as JSON, if any. A credential in it is masked.
    var raw: String? {
        guard let response = receipt["processor_response"]?.objectValue else { return nil }
        let shown = response.members.map { member in
            (member.name, pages?.credentials.contains(member.name) == true ? JSON.string("•••") : member.value)
        }
        return JSON.object(JSONObject(shown)).formatted()
    }
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
