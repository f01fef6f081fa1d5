import PayrelayAPI
import PayrelayPrimitives

/// A field of the payment sheet whose value replaces a field of the order.
public enum SheetContactField: String, Sendable, Hashable, CaseIterable {
    /// The order's `customerEmail`.
    case emailAddress
    /// The order's `customerName`.
    case name
    /// The order's `phoneNumber`.
    case phoneNumber

    /// Returns the field that the relay's error is about; `nil` if the sheet has no such field.
    init?(_ error: ValidationError) {
        switch error.field {
        case PaymentField.customerEmail: self = .emailAddress
        case PaymentField.customerName: self = .name
        case PaymentField.phoneNumber: self = .phoneNumber
        default: return nil
        }
    }
}

/// The customer's entries in the payment sheet. An entry that was not requested, or was left empty, is `nil` or
/// empty.
struct SheetContact: Sendable, Hashable, Redacted {
    var emailAddress: String?
    var name: String?
    var phoneNumber: String?

    /// Returns the order with the customer's entries instead of the app's values.
    func applied(to order: Order) -> Order {
        var order = order
        if let emailAddress, !emailAddress.isEmpty { order.customerEmail = emailAddress }
        if let name, !name.isEmpty { order.customerName = name }
        if let phoneNumber, !phoneNumber.isEmpty { order.phoneNumber = phoneNumber }
        return order
    }

    var description: String { "***" }
}
