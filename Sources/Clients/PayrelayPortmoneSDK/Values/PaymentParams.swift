/// The parameters of a payment: the account and the attributes that the payee requires. Portmone calls them
/// "PaymentParams object".
///
/// The ``Payee`` defines the type and the size of each field. The fields must be filled in that order.
public struct PaymentParams: Sendable, Hashable {
    /// The personal account.
    public var contractNumber: String
    /// The payee's first attribute.
    public var attribute1: String?
    /// The payee's second attribute.
    public var attribute2: String?
    /// The payee's third attribute.
    public var attribute3: String?
    /// The payee's fourth attribute.
    public var attribute4: String?
    /// The email address to which the receipt is sent. This is the name in Portmone's binary; the page calls it
    /// ``email``.
    public var emailAddress: String?
    /// The same as ``emailAddress``, with the name on Portmone's page.
    public var email: String? {
        get { emailAddress }
        set { emailAddress = newValue }
    }

    /// Creates parameters with these parts.
    public init(
        contractNumber: String, attribute1: String? = nil, attribute2: String? = nil, attribute3: String? = nil,
        attribute4: String? = nil, emailAddress: String? = nil
    ) {
        self.contractNumber = contractNumber
        self.attribute1 = attribute1
        self.attribute2 = attribute2
        self.attribute3 = attribute3
        self.attribute4 = attribute4
        self.emailAddress = emailAddress
    }

    /// Creates parameters with these parts, with the label on Portmone's page.
    public init(
        contractNumber: String, attribute1: String? = nil, attribute2: String? = nil, attribute3: String? = nil,
        attribute4: String? = nil, email: String?
    ) {
        self.init(
            contractNumber: contractNumber, attribute1: attribute1, attribute2: attribute2, attribute3: attribute3,
            attribute4: attribute4, emailAddress: email)
    }

    /// Validates the parameters.
    ///
    /// - Returns: 2011 if there is no contract number. The wallet compares the fields with the payee's.
    public func validate() -> (any Error)? {
        contractNumber.isEmpty ? PortmoneError.contractNumberEmpty : nil
    }
}
