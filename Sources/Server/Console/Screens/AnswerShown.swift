import PaymentRelay
import PayrelayPrimitives

/// A processor's answer on a payment's page: the receipt's values, in the order of the processor's fields, and the
/// explanations of its module.
struct AnswerShown {
    private let receipt: JSONObject
    private let fields: AnswerFields
    private let pages: ProcessorPages?
    private let isOpen: Bool

    /// - Parameters:
    ///   - receipt: nil if there is no answer yet.
    ///   - pages: the processor's; nil if it is no longer configured.
    ///   - isOpen: whether the outcome is still unknown.
    init(receipt: [UInt8]?, fields: AnswerFields, pages: ProcessorPages?, isOpen: Bool) {
        self.receipt = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
        self.fields = fields
        self.pages = pages
        self.isOpen = isOpen
    }

    /// A field's text, from the receipt or from the whole answer in it.
    private func text(_ name: String) -> String? {
        receipt[name]?.scalar ?? receipt["processor_response"]?[name]?.scalar
    }

    /// The explanation for the template; `none` if there is no answer.
    var view: View {
        let reason = text("reason")
        guard receipt["processor_response"] != nil else { return reason.map { ["reason": .text($0)] } ?? .none }
        var parts = pages?.explain(receipt, isOpen) ?? [:]
        parts["message"] = View(fields.message.flatMap(text))
        parts["reason"] = View(reason)
        return .parts(parts)
    }

    /// The answer's fields for a support desk. The card number and the email link to the list of
    /// payments with the same one.
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
