import FortAPI
import FoundationEssentials
import OrderedJSON

extension SandboxOrder {
    /// Carries out a capture, a void or a refund, or says why not.
    ///
    /// As FORT documents: captures and refunds may be parts and several, up to what was authorized and captured; a void
    /// comes before any capture. What FORT does with the same CAPTURE sent twice is not documented; with nothing to tell
    /// them apart, the second is one more capture here.
    ///
    /// - Returns: whether FORT answers.
    mutating func maintain(_ request: SandboxMaintenance, at moment: Date) throws(SandboxRefusal) -> Bool {
        let failure = request.command.failureStatus
        func refusal(_ message: String) -> SandboxRefusal { SandboxRefusal(status: failure, message: message) }
        guard request.fortID ?? fortID == fortID else { throw refusal("036") }
        guard request.currency ?? currency == currency else { throw refusal("013") }
        guard isCharged else { throw refusal("034") }
        guard !isOnHold(at: moment) else { throw refusal("662") }
        guard !ledger.isVoided else { throw refusal("034") }
        let outcome = request.amount.map(SandboxOutcome.init) ?? .success
        if case .declined(let message) = outcome { throw refusal(message) }
        if outcome == .technicalProblem { throw refusal("006") }

        let amount = request.amount ?? 0
        switch request.command {
        case .capture:
            guard ledger.captured + amount <= self.amount else { throw refusal("042") }
            ledger.captured += amount
            ledger.captures += 1
        case .refund:
            guard ledger.refunded + amount <= ledger.captured else { throw refusal("048") }
            if let reference = request.maintenanceReference {
                guard ledger.refundReferences.insert(reference).inserted else { throw refusal("066") }
            }
            ledger.refunded += amount
            ledger.refunds += 1
        default:
            guard command == .authorization, ledger.captured == 0 else { throw refusal("034") }
            ledger.isVoided = true
        }
        return outcome != .silent
    }

    /// The answer to a request that was carried out.
    func response(to request: SandboxMaintenance, _ parameters: JSONObject) -> JSONObject {
        var response = parameters.echoed()
        response["fort_id"] = .string(fortID)
        if SandboxOutcome(ofAmount: request.amount ?? 0) == .unconfirmed {
            return response.adding(status: "15", message: "777")
        }
        let success = request.command.successCode
        return response.adding(status: success.status, message: success.message)
    }
}
