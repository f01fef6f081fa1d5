import PayrelayPrimitives
public import SandboxParts

/// A fault between a merchant and Portmone.
public enum PortmoneFault: String, Sendable, CaseIterable {
    /// The request is dropped, and no answer is sent.
    case neverAnswer = "never_answer"
    /// The request is carried out, and no answer is sent.
    case chargeAndNeverAnswer = "charge_and_never_answer"
    /// The request is carried out, and the connection is reset instead of an answer (TCP's RST).
    case reset
    /// The request is carried out. Half of the answer is sent, then the connection closes.
    case truncate
    /// The request is carried out, and the answer is not Portmone's.
    case garbage
    /// The request is carried out, and the body of the answer is empty.
    case empty
    /// The request is carried out, and the answer is about another order.
    case otherOrder = "other_order"
    /// The request is dropped, and the answer has the status 500.
    case http500 = "http_500"
    /// The request is carried out, and the answer is sent late.
    case slow
    /// The answer is an error, but the request is carried out later.
    case errorThenDone = "error_then_done"
    /// A capture takes the whole hold, even if it requests less.
    case wholeHold = "whole_hold"
    /// The answer to `result` has an additional unpaid bill with another amount.
    case unpaidBillBeside = "unpaid_bill_beside"
    /// The answer to `result` has an additional failed bill in another currency.
    case failedBillBeside = "failed_bill_beside"
}

extension PortmoneFault: ScheduledFault {
    public var isLate: Bool { self == .slow || self == .errorThenDone }
}

extension GatewayMethod: FaultyCommand {
    public static var settingName: String { "method" }
}

/// The faults to apply to requests to Portmone.
public typealias PortmoneFaultSchedule = SeededFaultSchedule<PortmoneFault, GatewayMethod>

/// A rule of a ``PortmoneFaultSchedule``.
public typealias PortmoneFaultRule = SeededFaultRule<PortmoneFault, GatewayMethod>

extension PortmoneFaultRule {
    /// Returns the reply to a request that was carried out, with the fault applied to the answer.
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

    /// Returns the additional bill in the answer to `result`; `nil` if the fault adds none.
    ///
    /// - Parameter data: the request's `params.data`.
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

    /// The answer, changed to be about another order and that order's bill.
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
