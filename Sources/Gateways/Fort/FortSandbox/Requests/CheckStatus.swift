import FortAPI
import FoundationEssentials
import PayrelayPrimitives

/// A CHECK_STATUS with valid parameters.
struct SandboxQuery {
    let merchantReference: String
    let merchantIdentifier: String
    /// FORT's number of one of several attempts with the reference; `nil` if the request does not name one.
    let fortID: String?

    init(_ parameters: JSONObject) throws(FailureResponse) {
        let texts = try SandboxParameters(
            parameters, of: .checkStatus, mandatory: ["merchant_reference"],
            optional: ["fort_id", "return_third_party_response_codes"]
        ).texts
        merchantReference = texts["merchant_reference"] ?? ""
        merchantIdentifier = texts["merchant_identifier"] ?? ""
        fortID = texts["fort_id"]
    }
}

extension SandboxOrder {
    /// Returns the answer to CHECK_STATUS. `status` is about the query, `transaction_*` about the order.
    func statusResponse(to parameters: JSONObject, at moment: Date) -> JSONObject {
        let (status, message) = standing(at: moment)
        let isDone = isCharged && !isOnHold(at: moment)
        var response = parameters.echoed()
        response["fort_id"] = .string(fortID)
        response["transaction_status"] = .string(status)
        response["transaction_code"] = .string(status + message)
        response["transaction_message"] = .string(FortCodeEntry(message)?.texts.first ?? "")
        response["authorized_amount"] = .string(isDone ? String(amount) : "0")
        response["captured_amount"] = .string(isDone ? String(ledger.captured) : "0")
        response["refunded_amount"] = .string(String(ledger.refunded))
        return response.adding(status: "12", message: "000")
    }

    /// Returns the code of the order: the code of the last operation on it.
    private func standing(at moment: Date) -> (status: String, message: String) {
        let success = SandboxOutcome.success
        if !isCharged { return outcome.code(answering: command) }
        if isOnHold(at: moment) || ledger.isHolding { return SandboxOutcome.onHold.code(answering: command) }
        if ledger.refunded > 0 { return success.code(answering: .refund) }
        if ledger.isVoided { return success.code(answering: .voidAuthorization) }
        if ledger.captures > 0 { return success.code(answering: .capture) }
        return success.code(answering: command)
    }
}
