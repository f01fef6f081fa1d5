import FortAPI
import Primitives

/// A CAPTURE, VOID_AUTHORIZATION or REFUND whose parameters are those that FORT takes.
struct SandboxMaintenance {
    let command: FortCommand
    let merchantReference: String
    let merchantIdentifier: String
    /// In minor units of `currency`; nil for a void, which has none.
    let amount: Int?
    let currency: String?
    let maintenanceReference: String?
    /// Where it is sent, the order's must be the same.
    let fortID: String?
    let outcome: SandboxOutcome

    init(_ parameters: JSONObject, command: FortCommand) throws(SandboxRefusal) {
        let sum = command == .voidAuthorization ? [] : ["amount", "currency"]
        let texts = try SandboxParameters(
            parameters, of: command, mandatory: ["merchant_reference"] + sum,
            optional: ["fort_id", "order_description"] + (command == .refund ? ["maintenance_reference"] : [])
        ).texts
        self.command = command
        merchantReference = texts["merchant_reference"] ?? ""
        merchantIdentifier = texts["merchant_identifier"] ?? ""
        amount = texts["amount"].flatMap { Int($0) }
        currency = texts["currency"]
        maintenanceReference = texts["maintenance_reference"]
        fortID = texts["fort_id"]
        outcome = SandboxOutcome(of: command, amount: amount, merchantReference: merchantReference)
    }
}
