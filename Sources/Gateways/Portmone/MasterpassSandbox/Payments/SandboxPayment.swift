import PayrelayPrimitives

/// A payment, beginning with the quote of its commission.
struct SandboxPayment: Sendable {
    enum State: Sendable, Equatable {
        /// The commission was quoted, and the payment has not started.
        case quoted
        case waitingFor2d
        case waitingForCode(triesLeft: Int)
        /// The customer has to decide on the page. `isConfirmed` is `nil` until then.
        case waitingFor3d(page: String, isConfirmed: Bool?)
        case paid(SandboxBill)
        case failed(SandboxError)
    }

    /// The session that created the payment. No other session may query it.
    let session: String
    let phone: String
    let cardName: String
    let amount: MinorUnits
    let commission: MinorUnits
    let payee: SandboxPayee
    /// The login and the app's own number of the payment.
    let billKey: String
    var state = State.quoted
    /// The parameters with which the payment was started. A repeated request with the same parameters is the same
    /// payment.
    var params: SandboxPaymentParams?
}

/// The parameters of a payment request: the contract number, the attributes and the email address.
struct SandboxPaymentParams: Sendable, Equatable {
    let contractNumber: String
    let others: [String]

    init(_ request: SandboxRequest) {
        contractNumber = request.text("contractNumber")
        others = ["attribute1", "attribute2", "attribute3", "attribute4", "emailAddress"].map { request.text($0) }
    }
}

/// The bill of a completed payment.
struct SandboxBill: Sendable, Equatable {
    let identifier: String
    let contractNumber: String
    /// The time of payment in milliseconds since 1970.
    let milliseconds: Int64

    var json: JSON {
        [
            "billId": .string(identifier), "receipt": .string("/masterpass/receipts/\(identifier).pdf"),
            "contractNumber": .string(contractNumber), "payDate": JSON(milliseconds),
        ]
    }
}
