import PayrelayAPI

/// The result of a payment that Apple's payment sheet shows: either a success or a failure.
///
/// ```swift
/// let result = try await client.pay(order, with: token)
/// completion(PKPaymentAuthorizationResult(SheetResult(.success(result), asking: [.emailAddress])))
/// ```
///
/// | the payment | the sheet | what the app shows afterwards |
/// |---|---|---|
/// | `.authorized`, `.captured` | success | the order is paid |
/// | `.declined` | failure, closed | the card was declined; another attempt needs a new `merchant_reference` |
/// | `.notProcessed` | failure, closed | nothing was charged; another attempt needs a new `merchant_reference` |
/// | `.returned` | failure, closed | the payment was voided or refunded |
/// | `.uncertain` | failure, closed | "We are checking your payment", no button to pay; call `outcome(of:)` |
/// | an error after which the customer may have been charged | failure, closed | the same as for `.uncertain` |
/// | `.invalidFields`, all in the sheet | failure, open, fields marked | nothing: the customer corrects them |
/// | `.nothingWasSent`, `.orderTokenUnavailable`, `.insecureConnection` | failure, closed | nothing charged; retry |
/// | any other error | failure, closed | nothing was charged; the app or its backend has an error |
///
/// For an uncertain payment the sheet says "Payment Not Completed", which may be wrong. Showing a success could
/// be wrong, too, and then goods would be handed out unpaid. So the sheet closes immediately, and the app shows
/// that the payment is being checked.
public enum SheetResult: Sendable, Hashable {
    /// The money was authorized or captured.
    case success
    /// The sheet stays open with these fields marked. Nothing was charged, and the customer may authorize again.
    case failure([SheetFieldError])
    /// The sheet closes, and no later authorization in it is sent.
    case failureWithoutRetry

    /// - Parameters:
    ///   - outcome: the outcome of ``RelayClient/pay(_:with:within:)``.
    ///   - fields: the fields that the sheet requests from the customer. Other fields cannot be corrected in the
    ///     sheet.
    ///   - texts: the texts for marked fields.
    public init(
        _ outcome: Result<PaymentResult, RelayError>, asking fields: Set<SheetContactField>,
        texts: CustomerTexts = CustomerTexts(.english)
    ) {
        switch outcome {
        case .success(let result) where result.isSuccess: self = .success
        case .failure(.invalidFields(let errors)):
            let marked = errors.compactMap { SheetContactField($0) }
            // If another field is invalid, the order would be rejected again.
            let allCanBeCorrected = marked.count == errors.count && marked.allSatisfy(fields.contains)
            self =
                allCanBeCorrected && !marked.isEmpty
                ? .failure(marked.map { SheetFieldError(field: $0, text: texts.text(for: $0)) }) : .failureWithoutRetry
        case .success, .failure: self = .failureWithoutRetry
        }
    }
}

/// Why a field of the sheet was rejected.
public struct SheetFieldError: Sendable, Hashable {
    /// The field that is marked.
    public let field: SheetContactField
    /// The text for the customer.
    public let text: String
}
