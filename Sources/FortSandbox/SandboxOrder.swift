public import FoundationEssentials
public import FortAPI
public import OrderedJSON

/// An order in the sandbox's books.
public struct SandboxOrder: Sendable, Equatable {
    public let merchantReference: String
    public let command: FortCommand
    /// In minor units of `currency`.
    public let amount: Int
    public let currency: String
    public let outcome: SandboxOutcome
    /// Ascends with every order, from 0.
    public let number: Int
    public let createdAt: Date
    /// How many requests to charge it arrived that FORT's checks let pass; all after the first were refused as duplicates.
    public internal(set) var chargeRequests = 1
    /// What was done with it since.
    public internal(set) var ledger = SandboxLedger()

    init(_ charge: SandboxCharge, number: Int, at moment: Date) {
        merchantReference = charge.merchantReference
        command = charge.command
        amount = charge.amount
        currency = charge.currency
        outcome = SandboxOutcome(ofAmount: charge.amount)
        self.number = number
        createdAt = moment
        if command == .purchase, isCharged { ledger.captured = amount }
    }

    /// FORT's name of the order: eighteen digits, as FORT's are.
    public var fortID: String { String(149_295_435_400_084_008 + number) }

    /// Whether the customer's money was held or taken.
    public var isCharged: Bool {
        switch outcome {
        case .success, .onHold, .unconfirmed, .silent: true
        case .declined, .technicalProblem: false
        }
    }

    /// As `GET /_sandbox/orders` shows it.
    public var json: JSON {
        [
            "merchant_reference": .string(merchantReference), "command": .string(command.rawValue),
            "amount": JSON(amount), "currency": .string(currency), "fort_id": .string(fortID),
            "charged": .bool(isCharged), "charge_requests": JSON(chargeRequests),
            "captured_amount": JSON(ledger.captured), "refunded_amount": JSON(ledger.refunded),
            "voided": .bool(ledger.isVoided), "captures": JSON(ledger.captures), "refunds": JSON(ledger.refunds),
        ]
    }

    /// The answer to the request that made it.
    func response(to parameters: JSONObject) -> JSONObject {
        let (status, message) =
            switch outcome {
            case .success, .silent: (command.successCode.status, command.successCode.message)
            case .declined(let message): (command.failureStatus, message)
            case .technicalProblem: (command.failureStatus, "006")
            case .onHold: ("20", "000")
            case .unconfirmed: ("15", "777")
            }
        var response = parameters.echoed()
        response["fort_id"] = .string(fortID)
        response["payment_option"] = "VISA"
        response["eci"] = "ECOMMERCE"
        if isCharged { response["authorization_code"] = .string("S\(fortID.suffix(6))") }
        response["card_number"] = "411111******1111"
        response["expiry_date"] = "5012"
        return response.adding(status: status, message: message)
    }

    /// The answer to CHECK_STATUS: `status` is the query's, `transaction_*` the order's.
    func statusResponse(to parameters: JSONObject, at moment: Date) -> JSONObject {
        let (status, message) = standing(at: moment)
        let isDone = isCharged && !isOnHold(at: moment)
        var response = parameters.echoed()
        response["fort_id"] = .string(fortID)
        response["transaction_status"] = .string(status)
        response["transaction_code"] = .string(status + message)
        response["transaction_message"] = .string(FortCode.messages[message] ?? "")
        response["authorized_amount"] = .string(isDone ? String(amount) : "0")
        response["captured_amount"] = .string(isDone ? String(ledger.captured) : "0")
        response["refunded_amount"] = .string(String(ledger.refunded))
        return response.adding(status: "12", message: "000")
    }

    func isOnHold(at moment: Date) -> Bool { outcome == .onHold && moment.timeIntervalSince(createdAt) < 10 }

    /// Where the order stands, as a status and a message: what was done last is what FORT tells.
    private func standing(at moment: Date) -> (status: String, message: String) {
        switch outcome {
        case .declined(let message): return (command.failureStatus, message)
        case .technicalProblem: return (command.failureStatus, "006")
        case .onHold where isOnHold(at: moment): return ("20", "000")
        case .success, .unconfirmed, .silent, .onHold: break
        }
        if ledger.refunded > 0 { return (FortCommand.refund.successCode.status, "000") }
        if ledger.isVoided { return (FortCommand.voidAuthorization.successCode.status, "000") }
        if ledger.captures > 0 { return (FortCommand.capture.successCode.status, "000") }
        return (command.successCode.status, "000")
    }
}
