import PayrelayPrimitives

/// A card of a wallet. Its number selects the sandbox's behavior. Only the mask is kept.
struct SandboxCard: Sendable, Equatable {
    enum Verification: String, Sendable { case none, by2d = "2d", by3d = "3d" }

    let name: String
    /// The masked number, such as `444433********11`.
    let mask: String
    /// The codes that the customer must enter before the card is added, in their order.
    let codes: [SandboxCode]
    /// The verification that a payment with the card needs.
    let verification: Verification
    /// The last month in which the card can be used, as the number of months since the year 0.
    let lastMonth: Int

    /// The prefix of the sandbox's card numbers. No real card has it. A number without it is rejected before
    /// anything is stored.
    static let prefix = "444433"

    /// - Parameter month: the present month, as the number of months since the year 0.
    /// - Throws: 2102 to 2106, or 2112.
    init(_ request: SandboxRequest, month: Int) throws(SandboxError) {
        let (name, number, cvv) = (request.text("cardName"), request.text("cardNumber"), request.text("cvv"))
        guard !name.isEmpty else { throw SandboxError(2106) }
        guard name.utf8.count <= 64, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw SandboxError(2100, "cardName has at most 64 bytes and no control characters")
        }
        guard !number.isEmpty else { throw SandboxError(2102) }
        let digits = Array(number.utf8)
        guard digits.count == 16, digits.allSatisfy(\.isASCIIDigit), Self.hasCheckDigit(digits),
            number.begins(with: Self.prefix)
        else { throw SandboxError(2103, "the sandbox accepts only its own test cards") }
        guard !cvv.isEmpty else { throw SandboxError(2104) }
        guard Self.isCVV(cvv), !cvv.isExactly("000") else { throw SandboxError(2105) }
        lastMonth = try Self.lastMonth(request, now: month)
        self.name = name
        mask = "\(Self.prefix)********\(String(decoding: digits.suffix(2), as: UTF8.self))"
        switch String(decoding: digits[6..<8], as: UTF8.self) {
        case "13": codes = [.card]
        case "14": codes = [.phone]
        case "15": codes = [.phone, .card]
        default: codes = []
        }
        switch String(decoding: digits[8..<10], as: UTF8.self) {
        case "02": verification = .by2d
        case "03": verification = .by3d
        default: verification = .none
        }
    }

    /// Creates the card in a wallet from another app.
    init(elsewhere lastMonth: Int) {
        name = "Elsewhere"
        mask = "\(Self.prefix)********11"
        codes = []
        verification = .none
        self.lastMonth = lastMonth
    }

    static func isCVV(_ text: String) -> Bool { text.utf8.count == 3 && text.utf8.allSatisfy(\.isASCIIDigit) }

    private static func lastMonth(_ request: SandboxRequest, now: Int) throws(SandboxError) -> Int {
        let (month, year) = (request.text("expireMonth"), request.text("expireYear"))
        guard month.utf8.count == 2, year.utf8.count == 2, (month + year).utf8.allSatisfy(\.isASCIIDigit),
            let month = Int(month), let year = Int(year), (1...12).contains(month)
        else { throw SandboxError(2112) }
        let last = (2_000 + year) * 12 + month - 1
        guard last >= now, last <= now + 20 * 12 else { throw SandboxError(2112) }
        return last
    }

    /// Returns whether the last digit is the check digit: the Luhn formula (ISO/IEC 7812-1, annex B).
    private static func hasCheckDigit(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let value = Int(digit) - 0x30
            sum += place.isMultiple(of: 2) ? value : value * 2 - (value > 4 ? 9 : 0)
        }
        return sum.isMultiple(of: 10)
    }

    var json: JSON { ["cardBin": .string(mask), "name": .string(name)] }
}
