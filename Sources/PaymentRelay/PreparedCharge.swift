public import ApplePayToken

/// A charge that its processor has validated: nothing is left but to send it. There is no other way to charge, so what was not
/// validated cannot be sent.
public protocol PreparedCharge: Sendable {
    var order: Order { get }
    /// The token that pays it.
    var token: PaymentToken { get }

    /// Charges. It is called once; a failure is never tried again behind the client's back.
    func send() async -> ProcessorReport
}
