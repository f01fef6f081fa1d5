/// A company that can be paid, and the fields that a payment to it has. Portmone calls it "Payee object".
public struct Payee: Decodable, Sendable, Hashable {
    /// The identifier of the company.
    public let payeeId: String
    /// The name of the company.
    public let name: String
    /// The title of the field ``PaymentParams/contractNumber``.
    public let contractNumberTitle: PayeeLocalizedTitle
    /// The type of the contract number: `N` for digits, `C` for characters, `D` for a date as `dd.MM.yyyy`.
    public let contractNumberType: String
    /// The maximum number of characters of the contract number, in digits.
    public let contractNumberSize: String?
    /// The title of the field ``PaymentParams/attribute1``.
    public let attribute1Title: PayeeLocalizedTitle?
    /// The type of attribute 1: `N`, `C` or `D`.
    public let attribute1Type: String?
    /// The maximum number of characters of attribute 1, in digits.
    public let attribute1Size: String?
    /// Whether attribute 1 should not be shown.
    public let attribute1ForInfo: Bool?
    /// The title of the field ``PaymentParams/attribute2``.
    public let attribute2Title: PayeeLocalizedTitle?
    /// The type of attribute 2: `N`, `C` or `D`.
    public let attribute2Type: String?
    /// The maximum number of characters of attribute 2, in digits.
    public let attribute2Size: String?
    /// Whether attribute 2 should not be shown.
    public let attribute2ForInfo: Bool?
    /// The title of the field ``PaymentParams/attribute3``.
    public let attribute3Title: PayeeLocalizedTitle?
    /// The type of attribute 3: `N`, `C` or `D`.
    public let attribute3Type: String?
    /// The maximum number of characters of attribute 3, in digits.
    public let attribute3Size: String?
    /// Whether attribute 3 should not be shown.
    public let attribute3ForInfo: Bool?
    /// The title of the field ``PaymentParams/attribute4``.
    public let attribute4Title: PayeeLocalizedTitle?
    /// The type of attribute 4: `N`, `C` or `D`.
    public let attribute4Type: String?
    /// The maximum number of characters of attribute 4, in digits.
    public let attribute4Size: String?
    /// Whether attribute 4 should not be shown.
    public let attribute4ForInfo: Bool?
    /// The URL of the company's picture.
    public let imageUrl: String?
    /// Whether the customer must be redirected to ``gateway``, and cannot pay here.
    public let needRedirect: Bool
    /// The URLs to which customers are redirected, by language.
    public let gateway: PayeeLocalizedTitle?

    /// Whether each type is `N`, `C` or `D`.
    var hasKnownTypes: Bool {
        [contractNumberType, attribute1Type, attribute2Type, attribute3Type, attribute4Type].allSatisfy { type in
            type.map { ["N", "C", "D"].contains($0) } ?? true
        }
    }
}
