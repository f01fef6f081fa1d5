import PayrelayPrimitives
public import SandboxParts

/// Fault between a merchant and Portmone.
public enum PortmoneFault: String, Sendable, CaseIterable {
    /// The request is dropped, and nothing comes back.
    case neverAnswer = "never_answer"
    /// The request is carried out, and nothing comes back.
    case chargeAndNeverAnswer = "charge_and_never_answer"
    /// The request is carried out, and the connection is reset in place of an answer (TCP's RST).
    case reset
    /// The request is carried out; half of the answer comes, then the connection closes.
    case truncate
    /// The request is carried out, and what comes back is not Portmone's.
    case garbage
    /// The request is carried out, and the body of the answer is empty.
    case empty
    /// The request is carried out; the answer is another order's.
    case otherOrder = "other_order"
    /// The request is dropped, and answered with the status 500.
    case http500 = "http_500"
    /// The request is carried out, and the answer comes late.
    case slow
    /// An error is answered, and the request is carried out later all the same.
    case errorThenDone = "error_then_done"
    /// A capture takes the whole hold, whatever it asks for.
    case wholeHold = "whole_hold"
    /// The answer to `result` has an unpaid bill of another amount beside the order's.
    case unpaidBillBeside = "unpaid_bill_beside"
    /// The answer to `result` has a failed bill in another currency beside the order's.
    case failedBillBeside = "failed_bill_beside"
}

extension PortmoneFault: ScheduledFault {
    public var isLate: Bool { self == .slow || self == .errorThenDone }
}

extension GatewayMethod: FaultyCommand {
    public static var settingName: String { "method" }
}

/// Which fault strikes which request to Portmone.
public typealias PortmoneFaultSchedule = SeededFaultSchedule<PortmoneFault, GatewayMethod>

/// One line of a ``PortmoneFaultSchedule``.
public typealias PortmoneFaultRule = SeededFaultRule<PortmoneFault, GatewayMethod>

extension PortmoneFaultRule {
    /// Returns the reply to a request that was carried out, after the fault was applied to its answer.
    func reply(_ answer: JSON) -> SandboxReply {
        if let network = fault.ofNetwork {
            return SandboxReply(answer.encoded(), struckBy: network, seconds: seconds)
        }
        switch fault {
        case .empty: return .answer([])
        case .otherOrder: return .answer(answer.ofAnotherOrder.encoded())
        default: return .answer(answer.encoded())
        }
    }

    /// A bill that the answer to `result` has beside the order's; `nil` if the fault adds none.
    ///
    /// - Parameter data: the request's.
    func billBeside(_ data: JSONObject) -> JSON? {
        guard let payee = data["payeeId"], let order = data["shopOrderNumber"] else { return nil }
        var bill: JSONObject = [
            "payee_id": payee, "shopOrderNumber": order, "shopBillId": "540000001", "billAmount": "1.00",
            "status": "CREATED", "errorCode": "0", "errorMessage": "",
        ]
        switch fault {
        case .unpaidBillBeside: return .object(bill)
        case .failedBillBeside:
            bill["shopBillId"] = "540000002"
            bill["billCurrency"] = "USD"
            bill["status"] = "REJECTED"
            bill["errorCode"] = "12"
            return .object(bill)
        default: return nil
        }
    }
}

extension JSON {
    private static let names = ["billNumber", "shopOrderNumber", "shop_order_number"]
    private static let identifiers = ["shopBillId", "shop_bill_id"]

    /// The same, about another order and its bill.
    fileprivate var ofAnotherOrder: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.ofAnotherOrder))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        if Self.names.contains(member.name) { return (member.name, "ANOTHER-ORDER") }
                        if Self.identifiers.contains(member.name) { return (member.name, "549999999") }
                        return (member.name, member.value.ofAnotherOrder)
                    }))
        default: self
        }
    }
}
