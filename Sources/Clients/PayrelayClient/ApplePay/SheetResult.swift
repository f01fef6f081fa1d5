import PayrelayAPI

/// The result that Apple's payment sheet shows when a payment is over: a success or a failure, and nothing between.
///
/// ```swift
/// let result = try await client.pay(order, with: token)
/// completion(PKPaymentAuthorizationResult(SheetResult(.success(result), asking: [.emailAddress])))
/// ```
///
/// | the payment | the sheet | what the app shows afterwards |
/// |---|---|---|
/// | `.authorized`, `.captured` | success | the order is paid |
/// | `.declined` | failure, closed | the card was declined; another try needs a new `merchant_reference` |
/// | `.notProcessed` | failure, closed | nothing was charged; another try needs a new `merchant_reference` |
/// | `.returned` | failure, closed | the payment was given back |
/// | `.uncertain` | failure, closed | "We are checking your payment", no button to pay, and `outcome(of:)` |
/// | an error that may have been charged | failure, closed | the same as `.uncertain` |
/// | `.invalidFields` that the sheet asks for, and no others | failure, open, fields marked | nothing: the customer corrects them and authorizes again |
/// | `.nothingWasSent`, `.orderTokenUnavailable`, `.insecureConnection` | failure, closed | nothing was charged; a button to try again |
/// | every other error | failure, closed | nothing was charged; an error of the app or its backend |
///
/// The sheet says "Payment Not Completed" for an uncertain payment, which may be wrong. A success could be wrong too,
/// and goods would be handed out unpaid. So the sheet closes at once, and the app shows that the payment is being
/// checked.
public enum SheetResult: Sendable, Hashable {
    /// The money is held or taken.
    case success
    /// The sheet stays open with these fields marked. Nothing was charged, and the customer may authorize once more.
    case failure([SheetFieldError])
    /// The sheet closes, and no later authorization of it is sent.
    case failureWithoutRetry

    /// - Parameters:
    ///   - outcome: of ``RelayClient/pay(_:with:within:)``.
    ///   - fields: those that the sheet asks the customer for. A field that it does not show cannot be corrected there.
    ///   - texts: what the sheet says at a marked field.
    public init(
        _ outcome: Result<PaymentResult, RelayError>, asking fields: Set<SheetContactField>,
        texts: CustomerTexts = CustomerTexts(.english)
    ) {
        switch outcome {
        case .success(let result) where result.isSuccess: self = .success
        case .failure(.invalidFields(let errors)):
            let marked = errors.compactMap { SheetContactField($0) }
            // A field that stays wrong would be refused again.
            let allCanBeCorrected = marked.count == errors.count && marked.allSatisfy(fields.contains)
            self =
                allCanBeCorrected && !marked.isEmpty
                ? .failure(marked.map { SheetFieldError(field: $0, text: texts.text(for: $0)) }) : .failureWithoutRetry
        case .success, .failure: self = .failureWithoutRetry
        }
    }
}

/// Why a field of the sheet is not accepted.
public struct SheetFieldError: Sendable, Hashable {
    /// The field that is marked.
    public let field: SheetContactField
    /// For the customer.
    public let text: String
}
