import PaymentRelay
import PayrelayPrimitives

/// A gateway's answer on a payment's page: the values of the receipt, in the order of the gateway's fields, and
/// the explanations of the gateway's module.
struct AnswerShown {
    private let receipt: JSONObject
    private let fields: AnswerFields
    private let pages: GatewayPages?
    private let isOpen: Bool
    private let summary: JSONObject

    /// - Parameters:
    ///   - receipt: `nil` if there is no answer yet.
    ///   - pages: the gateway's pages; `nil` if the gateway is no longer configured.
    ///   - isOpen: whether the outcome is still unknown.
    ///   - summary: the values that are kept from an earlier answer, for fields that this answer does not have.
    init(
        receipt: [UInt8]?, fields: AnswerFields, pages: GatewayPages?, isOpen: Bool,
        summary: JSONObject = JSONObject()
    ) {
        self.receipt = receipt.flatMap { (try? JSON(parsing: $0))?.objectValue } ?? [:]
        self.fields = fields
        self.pages = pages
        self.isOpen = isOpen
        self.summary = summary
    }

    /// Returns the text of a field, from the receipt or from the full answer in it.
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

    /// The fields of the answer for a support desk, without the customer's fields. The card number links to the
    /// list of payments with the same number.
    var facts: [(name: String, value: String, link: String?)] {
        fields.all.compactMap { field in
            guard let title = field.title,
                ![fields.customerEmail, fields.customerName, fields.phoneNumber].contains(field.name),
                let value = text(field.name) ?? summary[field.name]?.scalar
            else { return nil }
            let searched = field.name == fields.cardNumber ? value : nil
            return (title, value, searched.map { Links.payments([("q", $0)]) })
        }
    }

    /// The card as the gateway names it in this answer or an earlier one.
    var card: (title: String, number: String)? {
        guard let name = fields.cardNumber, let number = text(name) ?? summary[name]?.scalar else { return nil }
        return (fields.all.first { $0.name == name }?.title ?? "Card", number)
    }

    /// Returns the customer and the customer's card, as far as the payment or this answer has them.
    func people(of payment: Payment) -> [(name: String, value: String?, link: String?)] {
        let customer = payment.customer.completed(by: customer)
        return [
            (
                "Card on the phone", customer.cardDisplayName,
                customer.cardLastFour.flatMap { _ in customer.cardDisplayName.map { Links.payments([("q", $0)]) } }
            ),
            ("Customer", customer.name, nil),
            ("Email", customer.email, customer.email.map(Links.customer)),
            ("Phone", customer.phoneNumber, nil),
        ]
    }

    private var customer: CustomerDetails {
        CustomerDetails(
            email: fields.customerEmail.flatMap(text), name: fields.customerName.flatMap(text),
            phoneNumber: fields.phoneNumber.flatMap(text))
    }

    /// The full answer as JSON, if any, with its credentials masked.
    var raw: String? {
        guard let response = receipt["processor_response"]?.objectValue else { return nil }
        let shown = response.members.map { member in
            (member.name, fields.credentials.contains(member.name) ? JSON.string("•••") : member.value)
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
