import PayrelayPrimitives

/// The page on which the customer confirms or refuses a payment.
struct VerificationPage {
    let html: [UInt8]

    /// The page after the decision. The SDK's view does not show it.
    static let end = page("<p>Done. Go back to the app.</p>")

    /// - Parameter page: the name of an existing page: hexadecimal digits.
    init(_ page: String, _ payment: SandboxPayment) {
        let amount = payment.amount.value + payment.commission.value
        html = Self.page(
            """
            <p>Pay \(kopecksAsHryvnias(amount)) UAH to \(payment.payee.name)?</p>
            <form method="post" action="/masterpass/3d/\(page)/confirm"><button>Confirm</button></form>
            <form method="post" action="/masterpass/3d/\(page)/refuse"><button>Refuse</button></form>
            """)
    }

    private static func page(_ body: String) -> [UInt8] {
        Array(
            """
            <!doctype html>
            <html lang="en">
            <meta name="viewport" content="width=device-width">
            <title>Masterpass sandbox</title>
            <h1>Masterpass sandbox: a simulated bank</h1>
            \(body)
            </html>
            """.utf8)
    }
}

/// Returns kopecks as hryvnias: `12.05` for 1205.
func kopecksAsHryvnias(_ kopecks: Int) -> String {
    let (hryvnias, rest) = kopecks.quotientAndRemainder(dividingBy: 100)
    return "\(hryvnias).\(rest < 10 ? "0" : "")\(rest)"
}
