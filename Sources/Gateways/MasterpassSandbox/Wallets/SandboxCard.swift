import PayrelayPrimitives

/// A card of a wallet. Its number is read for what it makes the sandbox do, and only the mask is kept.
struct SandboxCard: Sendable, Equatable {
    enum Verification: String, Sendable { case none, by2d = "2d", by3d = "3d" }

    let name: String
    /// `444433********11`.
    let mask: String
    /// Which codes are asked for before it is in the wallet, in their order.
    let codes: [SandboxCode]
    /// Verification that a payment with the card needs.
    let verification: Verification
    /// Years and months since the year 0, of the last month in which it can be used.
    let lastMonth: Int

    /// No real card has a number of the sandbox's: it is refused before anything is kept of it.
    static let prefix = "444433"

    /// - Parameter month: years and months since the year 0, of now.
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
        else { throw SandboxError(2103, "the sandbox takes its own test cards alone") }
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

    /// The card of a wallet that another app made.
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

    /// ISO/IEC 7812-1, annex B: the Luhn formula over digits.
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
