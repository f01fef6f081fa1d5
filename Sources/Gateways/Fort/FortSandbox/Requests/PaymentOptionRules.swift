import FortAPI
import PayrelayPrimitives

/// FORT's documented restrictions on payment schemes: "SADAD (for Purchase operations only)", "MADA (for Purchase
/// operations and eci Ecommerce only)", "MOTO … in VISA, MASTERCARD and AMEX".
enum PaymentOptionRules {
    static let forPurchasesOnly: Set = ["SADAD", "NAPS", "KNET", "MADA", "MEEZA"]
    static let forMailAndTelephone: Set = ["VISA", "MASTERCARD", "AMEX"]

    /// - Parameter authorizesMada: see `FortAccount`.
    /// - Throws: message 049, "Operation not valid for this payment option", or 113, "Service not applicable for
    ///   e-commerce indicator". It is not documented which message FORT uses.
    static func check(
        _ paymentOption: String, _ command: FortCommand, eci: String?, authorizesMada: Bool
    ) throws(FailureResponse) {
        let isAuthorizedMada = authorizesMada && paymentOption == "MADA"
        if command == .authorization, forPurchasesOnly.contains(paymentOption), !isAuthorizedMada {
            throw FailureResponse(status: command.failureStatus, message: "049")
        }
        if eci == "MOTO", !forMailAndTelephone.contains(paymentOption) {
            throw FailureResponse(status: command.failureStatus, message: "113")
        }
    }
}

/// APS's rule for a Visa card in a currency with three decimals: the last decimal must be zero, "to avoid
/// declined transactions".
enum VisaRounding {
    static func isMissing(in amount: Int, _ currency: String, paidWith paymentOption: String) -> Bool {
        paymentOption == "VISA" && Currency(code: currency)?.exponent == 3 && !amount.isMultiple(of: 10)
    }
}
