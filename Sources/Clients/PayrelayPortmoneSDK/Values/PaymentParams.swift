/// Parameters of a payment: the account and the attributes that the payee asks for. Portmone, "PaymentParams object".
///
/// The fields are those of the ``Payee``: each has a type and a size there, and must be filled in that order.
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
    /// The email address that the receipt is sent to. Portmone's binary has this name, its page ``email``.
    public var emailAddress: String?
    /// ``emailAddress``, by the name that Portmone's page has.
    public var email: String? {
        get { emailAddress }
        set { emailAddress = newValue }
    }

    /// Parameters of these parts.
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

    /// The same, with the label that Portmone's page has.
    public init(
        contractNumber: String, attribute1: String? = nil, attribute2: String? = nil, attribute3: String? = nil,
        attribute4: String? = nil, email: String?
    ) {
        self.init(
            contractNumber: contractNumber, attribute1: attribute1, attribute2: attribute2, attribute3: attribute3,
            attribute4: attribute4, emailAddress: email)
    }

    /// - Returns: 2011 where there is no contract number. The wallet checks the fields against the payee's.
    public func validate() -> (any Error)? {
        contractNumber.isEmpty ? PortmoneError.contractNumberEmpty : nil
    }
}
