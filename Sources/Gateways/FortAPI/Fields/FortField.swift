/// A parameter of FORT's Apple Pay request and its limits, as the page "Apple Pay API" of APS documents them.
///
/// The page gives lengths, values and which are mandatory. The characters come from it where it names them
/// (`merchant_reference`), else from the tables of the older SDK and integration guides, which list them for the same
/// fields. Lengths are counted in Unicode scalars.
public struct FortField: Hashable, Sendable {
    /// Where the field's value comes from.
    public enum Origin: Hashable, Sendable {
        /// The merchant's order.
        case order
        /// Apple's token. What Apple made is passed on unchanged, so its limits only warn.
        case token
        /// The merchant's FORT account.
        case account
        /// The code that builds the message.
        case message
    }

    /// Format of a value.
    public enum Content: Hashable, Sendable {
        case characters(FortCharacters)
        /// The same, and at the end up to two `=`, as base64 has them.
        case paddedCharacters(FortCharacters)
        /// One of these, letter by letter.
        case values([String])
        /// Minor units of the currency, as digits without a leading zero.
        case amount
        /// A code of ISO 4217.
        case currency
        case emailAddress
        /// IPv4 or IPv6.
        case ipAddress
        /// Anything that is not a control character.
        case text
        /// An object, whose members are fields of their own.
        case object
    }

    /// FORT's name.
    public let name: String
    public let origin: Origin
    public let isMandatory: Bool
    /// In Unicode scalars; nil for an object.
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
