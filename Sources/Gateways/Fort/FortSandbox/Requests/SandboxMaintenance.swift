import FortAPI
import FoundationEssentials
import PayrelayPrimitives

/// A CAPTURE, VOID_AUTHORIZATION or REFUND with valid parameters.
struct SandboxMaintenance {
    let command: FortCommand
    let merchantReference: String
    let merchantIdentifier: String
    /// The amount in minor units of `currency`; `nil` for a void, which has no amount.
    let amount: Int?
    let currency: String?
    let maintenanceReference: String?
    /// FORT's number of one of several attempts with the reference; `nil` if the request does not name one.
    let fortID: String?
    let outcome: SandboxOutcome

    init(_ parameters: JSONObject, command: FortCommand) throws(FailureResponse) {
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

extension SandboxOrder {
    /// Carries out a capture, a void or a refund, at once or after a hold, or throws the reason for not doing so.
    ///
    /// These rules are FORT's, from its documents:
    /// - Captures may be partial and several, up to the authorized amount. Refunds may be partial and several, up
    ///   to the captured amount.
    /// - A void is possible only before any capture.
    /// - An authorization can be captured or voided for seven days.
    ///
    /// It is not documented what FORT does if the same CAPTURE is sent twice. The sandbox carries out the second
    /// as a further capture.
    mutating func maintain(_ request: SandboxMaintenance, at moment: Date) throws(FailureResponse) {
        let failure = request.command.failureStatus
        func failed(_ message: String) -> FailureResponse { FailureResponse(status: failure, message: message) }
        ledger.settle(at: moment)
        guard request.currency ?? currency == currency else { throw failed("013") }
        guard isCharged else { throw failed("034") }
        guard !isOnHold(at: moment) else { throw failed("662") }
        guard !ledger.isVoided else { throw failed("034") }
        let isTimely = moment.timeIntervalSince(createdAt) <= 7 * 86_400
        guard isTimely || request.command == .refund else { throw failed("034") }

        let amount = request.amount ?? 0
        switch request.command {
        case .capture:
            guard !ledger.isHolding(.voidAuthorization) else { throw failed("662") }
            guard ledger.captured + ledger.onHold(.capture) + amount <= self.amount else { throw failed("042") }
        case .refund:
            guard ledger.refunded + ledger.onHold(.refund) + amount <= ledger.captured else { throw failed("048") }
        default:
            guard command == .authorization, ledger.captured == 0 else { throw failed("034") }
            guard !ledger.isHolding else { throw failed("662") }
        }
        guard !VisaRounding.isMissing(in: amount, currency, paidWith: paymentOption) else { throw failed("666") }
        if !request.outcome.isCarriedOut { throw failed(request.outcome.code(answering: request.command).message) }
        if let reference = request.maintenanceReference {
            guard ledger.refundReferences.insert(reference).inserted else { throw failed("066") }
        }
        if request.outcome == .onHold {
            ledger.hold(request.command, amount, until: moment.addingTimeInterval(Self.hold))
        } else {
            ledger.enter(request.command, amount)
        }
    }

    /// Returns FORT's answer to an operation that was carried out.
    ///
    /// - Parameter outcome: the request's outcome for the answer; `success` for feedback after the hold.
    func response(
        to request: SandboxMaintenance, _ parameters: JSONObject, _ outcome: SandboxOutcome
    ) -> JSONObject {
        var response = parameters.echoed()
        response["fort_id"] = .string(fortID)
        let (status, message) = outcome.code(answering: request.command)
        return response.adding(status: status, message: message)
    }
}
