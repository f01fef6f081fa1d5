import PayrelayPrimitives

/// A payment, from its commission on.
struct SandboxPayment: Sendable {
    enum State: Sendable, Equatable {
        /// It has a commission, and was not asked for.
        case quoted
        case waitingFor2d
        case waitingForCode(triesLeft: Int)
        /// The decision is the customer's on the page, where it was taken.
        case waitingFor3d(page: String, isConfirmed: Bool?)
        case paid(SandboxBill)
        case failed(SandboxError)
    }

    /// The session in which it was made, and in which alone it can be asked for.
    let session: String
    let phone: String
    let cardName: String
    let amount: MinorUnits
    let commission: MinorUnits
    let payee: SandboxPayee
    /// The login and the app's own number of the payment.
    let billKey: String
    var state = State.quoted
    /// Those that it was asked for with: the same again is the same payment.
    var params: SandboxPaymentParams?
}

/// Parameters of a payment request: the contract number, the attributes and the email address.
struct SandboxPaymentParams: Sendable, Equatable {
    let contractNumber: String
    let others: [String]

    init(_ request: SandboxRequest) {
        contractNumber = request.text("contractNumber")
        others = ["attribute1", "attribute2", "attribute3", "attribute4", "emailAddress"].map { request.text($0) }
    }
}

/// Bill of a completed payment.
struct SandboxBill: Sendable, Equatable {
    let identifier: String
    let contractNumber: String
    /// Since 1970.
    let milliseconds: Int64

    var json: JSON {
        [
            "billId": .string(identifier), "receipt": .string("/masterpass/receipts/\(identifier).pdf"),
            "contractNumber": .string(contractNumber), "payDate": JSON(milliseconds),
        ]
    }
}
