/// A parameter of FORT's Apple Pay request and its limits, as APS's page "Apple Pay API" documents them.
///
/// The page lists the lengths, the values and the mandatory parameters. It names the allowed characters only for
/// `merchant_reference`. For other fields they come from the tables of the older SDK and integration guides,
/// which list the same fields. Lengths are counted in Unicode scalars.
public struct FortField: Hashable, Sendable {
    /// The source of a field's value.
    public enum Origin: Hashable, Sendable {
        /// The merchant's order.
        case order
        /// Apple's token. Apple's values are sent unchanged, so exceeding a limit only causes a warning.
        case token
        /// The merchant's FORT account.
        case account
        /// The code that creates the message.
        case message
    }

    /// The format of a value.
    public enum Content: Hashable, Sendable {
        case characters(FortCharacters)
        /// The same characters, followed by up to two `=`, as in base64.
        case paddedCharacters(FortCharacters)
        /// One of these values, compared exactly.
        case values([String])
        /// An amount in minor units of the currency, as digits without a leading zero.
        case amount
        /// A currency code of ISO 4217.
        case currency
        case emailAddress
        /// An IPv4 or IPv6 address.
        case ipAddress
        /// Any text without control characters.
        case text
        /// An object whose members are fields themselves.
        case object
    }

    /// FORT's name of the parameter.
    public let name: String
    public let origin: Origin
    public let isMandatory: Bool
    /// The maximum length in Unicode scalars; `nil` for an object.
    public let maximumLength: Int?
    public let content: Content

    init(_ name: String, _ origin: Origin, mandatory: Bool, max maximumLength: Int?, _ content: Content) {
        self.name = name
        self.origin = origin
        isMandatory = mandatory
        self.maximumLength = maximumLength
        self.content = content
    }
}
