/// A company that can be paid, and which fields its payments have. Portmone, "Payee object".
public struct Payee: Decodable, Sendable, Hashable {
    /// Of the company.
    public let payeeId: String
    /// Of the company.
    public let name: String
    /// The name of the field ``PaymentParams/contractNumber``.
    public let contractNumberTitle: PayeeLocalizedTitle
    /// `N` for digits, `C` for characters, `D` for a date as `dd.MM.yyyy`.
    public let contractNumberType: String
    /// How many characters it has at the most: digits.
    public let contractNumberSize: String?
    /// The name of the field ``PaymentParams/attribute1``.
    public let attribute1Title: PayeeLocalizedTitle?
    /// `N`, `C` or `D`.
    public let attribute1Type: String?
    /// How many characters it has at the most: digits.
    public let attribute1Size: String?
    /// If true, the field should not be shown.
    public let attribute1ForInfo: Bool?
    /// The name of the field ``PaymentParams/attribute2``.
    public let attribute2Title: PayeeLocalizedTitle?
    /// `N`, `C` or `D`.
    public let attribute2Type: String?
    /// How many characters it has at the most: digits.
    public let attribute2Size: String?
    /// If true, the field should not be shown.
    public let attribute2ForInfo: Bool?
    /// The name of the field ``PaymentParams/attribute3``.
    public let attribute3Title: PayeeLocalizedTitle?
    /// `N`, `C` or `D`.
    public let attribute3Type: String?
    /// How many characters it has at the most: digits.
    public let attribute3Size: String?
    /// If true, the field should not be shown.
    public let attribute3ForInfo: Bool?
    /// The name of the field ``PaymentParams/attribute4``.
    public let attribute4Title: PayeeLocalizedTitle?
    /// `N`, `C` or `D`.
    public let attribute4Type: String?
    /// How many characters it has at the most: digits.
    public let attribute4Size: String?
    /// If true, the field should not be shown.
    public let attribute4ForInfo: Bool?
    /// Of the company's picture.
    public let imageUrl: String?
    /// If true, the customer must be redirected to ``gateway``, and cannot pay here.
    public let needRedirect: Bool
    /// The URLs to which customers are redirected.
    public let gateway: PayeeLocalizedTitle?

    /// Whether each type is one of the three.
    var hasKnownTypes: Bool {
        [contractNumberType, attribute1Type, attribute2Type, attribute3Type, attribute4Type].allSatisfy { type in
            type.map { ["N", "C", "D"].contains($0) } ?? true
        }
    }
}
