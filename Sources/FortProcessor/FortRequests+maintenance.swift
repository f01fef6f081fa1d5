import Primitives
import FortAPI
import PaymentRelay

extension CaptureRequest {
    init(_ payment: Payment, _ operation: PaymentOperation, _ fields: [String: String]) throws(ValidationErrors) {
        try self.init(
            merchantReference: payment.merchantReference, amount: operation.amount.description,
            currency: payment.currency,
            language: fields["language"] ?? "en", orderDescription: fields["order_description"])
    }
}

extension VoidAuthorizationRequest {
    init(_ payment: Payment, _ operation: PaymentOperation, _ fields: [String: String]) throws(ValidationErrors) {
        try self.init(
            merchantReference: payment.merchantReference, language: fields["language"] ?? "en",
            orderDescription: fields["order_description"])
    }
}

extension RefundRequest {
    init(_ payment: Payment, _ operation: PaymentOperation, _ fields: [String: String]) throws(ValidationErrors) {
        try self.init(
            merchantReference: payment.merchantReference, amount: operation.amount.description,
            currency: payment.currency,
            language: fields["language"] ?? "en", maintenanceReference: operation.maintenanceReference,
            orderDescription: fields["order_description"])
    }
}
