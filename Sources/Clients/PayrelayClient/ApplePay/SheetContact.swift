import PayrelayAPI
import PayrelayPrimitives

/// A field of the payment sheet in which the customer enters something of the order's.
public enum SheetContactField: String, Sendable, Hashable, CaseIterable {
    /// The order's `customerEmail`.
    case emailAddress
    /// The order's `customerName`.
    case name
    /// The order's `phoneNumber`.
    case phoneNumber

    /// The field that the relay's error is about; nil where the sheet has none for it.
    init?(_ error: ValidationError) {
        switch error.field {
        case PaymentField.customerEmail: self = .emailAddress
        case PaymentField.customerName: self = .name
        case PaymentField.phoneNumber: self = .phoneNumber
        default: return nil
        }
    }
}

/// What the customer entered in the payment sheet. Nil is what the sheet did not ask for, or what was left empty.
struct SheetContact: Sendable, Hashable, Redacted {
    var emailAddress: String?
    var name: String?
    var phoneNumber: String?

    /// The order with what the customer entered in place of what the app knew before.
    func applied(to order: Order) -> Order {
        var order = order
        if let emailAddress, !emailAddress.isEmpty { order.customerEmail = emailAddress }
        if let name, !name.isEmpty { order.customerName = name }
        if let phoneNumber, !phoneNumber.isEmpty { order.phoneNumber = phoneNumber }
        return order
    }

    var description: String { "***" }
}
