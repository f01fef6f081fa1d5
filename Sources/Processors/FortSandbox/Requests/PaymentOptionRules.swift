import FortAPI

/// FORT's documented restrictions of payment schemes: "SADAD (for Purchase operations only)", "MADA (for Purchase
/// operations and eci Ecommerce only)", "MOTO … in VISA, MASTERCARD and AMEX".
enum PaymentOptionRules {
    static let forPurchasesOnly: Set = ["SADAD", "NAPS", "KNET", "MADA", "MEEZA"]
    static let forMailAndTelephone: Set = ["VISA", "MASTERCARD", "AMEX"]

    /// - Throws: 049 "Operation not valid for this payment option", 113 "Service not applicable for e-commerce indicator". Which FORT
    ///   answers is not documented.
    static func check(_ paymentOption: String, _ command: FortCommand, eci: String?) throws(FailureResponse) {
        if command == .authorization, forPurchasesOnly.contains(paymentOption) {
            throw FailureResponse(status: command.failureStatus, message: "049")
        }
        if eci == "MOTO", !forMailAndTelephone.contains(paymentOption) {
            throw FailureResponse(status: command.failureStatus, message: "113")
        }
    }
}
