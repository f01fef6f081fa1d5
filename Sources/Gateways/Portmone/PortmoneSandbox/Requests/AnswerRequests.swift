import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

extension PortmoneSandbox {
    /// Carries out a request, and applies the fault, if there is one, to its answer.
    func carryOut(_ body: [UInt8], at path: GatewayPath) async -> SandboxReply {
        let json = try? JSON(parsing: body)
        let method = GatewayRequest.method(of: json)
        let rule = rule(for: method)
        if let reply = rule?.fault.replyToDropped { return reply }
        let result: JSON
        do throws(GatewayError) {
            let request = try GatewayRequest(json, at: path)
            if let rule, rule.fault == .errorThenDone {
                carryOutLater(request, at: now().addingTimeInterval(rule.seconds))
                throw GatewayError.technicalProblem
            }
            switch try await answer(to: request, struckBy: rule) {
            case .silence: return .silence
            case .empty: return .answer([])
            case .result(let answered): result = answered
            }
        } catch {
            result = error.answer(to: method)
        }
        let answer: JSON =
            path == .r3 ? ["result": result, "id": .string(GatewayRequest.id(of: json) ?? "")] : result
        return rule?.reply(answer) ?? .answer(answer.encoded())
    }

    /// The answer to a request that was carried out.
    private enum Answer {
        case result(JSON)
        case empty
        case silence

        init(_ result: JSON, _ outcome: PortmoneOutcome) {
            switch outcome {
            case .silent: self = .silence
            case .emptyAnswer: self = .empty
            default: self = .result(result)
            }
        }
    }

    /// Carries out the requests that were answered with an error and are due by now.
    func carryOutDue() async {
        for request in takeDue(at: now()) { _ = try? await answer(to: request) }
    }

    private func answer(
        to request: GatewayRequest, struckBy rule: PortmoneFaultRule? = nil
    ) async throws(GatewayError) -> Answer {
        switch request.method {
        case .aPay: try await charge(request.data)
        case .result:
            .result(.array(try await status(request.data) + (rule?.billBeside(request.data).map { [$0] } ?? [])))
        case .confirmPreauth:
            try await carryOut(.confirmPreauth, request.data, takingWholeHold: rule?.fault == .wholeHold)
        case .rejectPreauth: try await carryOut(.rejectPreauth, request.data)
        case .return: try await carryOut(.return, request.data)
        case .closeInvoice: try await carryOut(.closeInvoice, request.data)
        case .createLinkPayment: .result(try LinkPayment(request.data, of: accounts).answer)
        }
    }

    /// Carries out a charge. It checks first the members, then the token, then the bank's outcome. A rejected
    /// request creates no bill.
    private func charge(_ data: JSONObject) async throws(GatewayError) -> Answer {
        let charge = try PortmoneCharge(data, of: accounts, settings: charges)
        let moment = now()
        try charge.holdAgainstToken(of: pki, signedSince: moment.addingTimeInterval(-tokenLifetime))
        if charge.outcome == .technicalProblem { throw .technicalProblem }
        let bill = try await books.enter(charge, at: moment)
        sender.sendAfterCharge(bill)
        return Answer(bill.chargeAnswer, charge.outcome)
    }

    private func status(_ data: JSONObject) async throws(GatewayError) -> [JSON] {
        let query = try StatusQuery(data, of: accounts, at: now())
        let found: [PortmoneBill]
        if let shopBillId = query.shopBillId {
            found = await books.bill(shopBillId, of: query.payeeId).map { [$0] } ?? []
        } else {
            found = await books.bills(.init(payeeId: query.payeeId, shopOrderNumber: query.shopOrderNumber ?? ""))
        }
        return query.entries(of: found)
    }

    private func carryOut(
        _ kind: PortmoneOperation.Kind, _ data: JSONObject, takingWholeHold: Bool = false
    ) async throws(GatewayError) -> Answer {
        let operation = try PortmoneOperation(kind, data, of: accounts)
        let bill = try await books.carryOut(operation, takingWholeHold: takingWholeHold, at: now())
        return Answer(bill.answer(to: kind), operation.outcome(for: bill))
    }
}
