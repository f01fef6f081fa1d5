import FoundationEssentials
import PayrelayPrimitives

/// An operation on a bill after its charge.
struct PortmoneOperation: Equatable {
    enum Kind: Equatable {
        case confirmPreauth
        case rejectPreauth
        case `return`
        case closeInvoice

        /// The status in which a bill must be for the operation.
        var status: PortmoneBill.Status {
            switch self {
            case .confirmPreauth, .rejectPreauth: .preauth
            case .return: .payed
            case .closeInvoice: .created
            }
        }

        var verb: PortmoneOutcome.Verb {
            switch self {
            case .confirmPreauth: .capture
            case .rejectPreauth, .closeInvoice: .void
            case .return: .refund
            }
        }
    }

    let kind: Kind
    let payeeId: String
    /// The order's number. The request names the order, the bill, or both.
    let shopOrderNumber: String?
    let shopBillId: String?
    /// The amount as it was sent; `nil` if the operation has no amount.
    let amount: String?

    /// Returns the name of the member with the amount; `nil` if the operation has no amount.
    static func amountName(of kind: Kind) -> String? {
        switch kind {
        case .confirmPreauth: "postauthAmount"
        case .return: "returnAmount"
        case .rejectPreauth, .closeInvoice: nil
        }
    }

    /// Returns the amount in minor units; `nil` if the operation has no amount.
    ///
    /// - Parameter currency: the bill's currency.
    func minorUnits(in currency: Currency) throws(GatewayError) -> Int? {
        guard let name = Self.amountName(of: kind) else { return nil }
        guard let amount, let value = DecimalAmount.read(amount, exponent: currency.exponent) else {
            throw .notAnExactDecimal(name)
        }
        return value.value
    }

    /// Returns the outcome that the amount or the order's number selects.
    ///
    /// - Parameter bill: the bill of the operation.
    func outcome(for bill: PortmoneBill) -> PortmoneOutcome {
        let amount = try? minorUnits(in: bill.currency)
        return PortmoneOutcome(of: kind.verb, amount: amount, shopOrderNumber: bill.shopOrderNumber)
    }
}

extension PortmoneBill {
    /// Carries out an operation, or throws the reason for not doing so.
    ///
    /// - Parameter returnNumber: the number of all earlier returns of all bills.
    mutating func carryOut(
        _ operation: PortmoneOperation, at moment: Date, returnNumber: Int
    ) throws(GatewayError) {
        let amount = try operation.minorUnits(in: currency) ?? 0
        guard status == operation.kind.status else {
            switch operation.kind {
            case .return: throw .notPaid
            case .rejectPreauth where status == .rejected: throw .notFound
            case .confirmPreauth, .rejectPreauth, .closeInvoice: throw .wrongStatus
            }
        }
        if operation.kind == .confirmPreauth, amount > self.amount { throw .moreThanHeld }
        if operation.kind == .return, amount > paid - returned { throw .moreThanPaid }
        if let failure = operation.outcome(for: self).failure { throw failure }
        switch operation.kind {
        case .confirmPreauth:
            status = .payed
            paid = amount
            captures += 1
        case .rejectPreauth, .closeInvoice: status = .rejected
        case .return:
            returns.append(
                Return(shopBillId: String(Self.firstReturnIdentifier + returnNumber), amount: amount, date: moment))
        }
    }

    /// The number of the first return. Returns have numbers of their own, which are not numbers of bills.
    private static var firstReturnIdentifier: Int { 850_000_000 }
}
