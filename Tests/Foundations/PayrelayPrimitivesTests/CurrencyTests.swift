import Foundation
import Testing

@testable import PayrelayPrimitives

struct CurrencyTests {
    /// The file that the Debian package iso-codes installs, from 2022 or later.
    static let isoCodes = "/usr/share/iso-codes/json/iso_4217.json"

    @Test(arguments: [
        ("AED", "784", 2), ("KWD", "414", 3), ("JPY", "392", 0), ("ALL", "008", 2), ("CLF", "990", 4),
        ("SAR", "682", 2),
        ("USD", "840", 2), ("EUR", "978", 2), ("BHD", "048", 3), ("OMR", "512", 3), ("JOD", "400", 3),
    ])
    func knowsCodeNumberAndExponent(code: String, number: String, exponent: Int) {
        let currency = Currency(code: code)
        #expect(currency?.numericCode == number)
        #expect(currency?.exponent == exponent)
    }

    @Test func aCurrencyThatAPSMultipliesByAThousandHasThreeDecimals() {
        let three = Currency.all.values.filter { $0.exponent == 3 }.map(\.code)
        #expect(Set(three) == ["KWD", "BHD", "OMR", "JOD", "TND", "LYD", "IQD"])
    }

    @Test(arguments: ["", "aed", "AE", "AEDX", "ZZZ", "XXX", "XAU", "HRK", "784", "\u{212A}WD"])
    func refusesCodesThatNoPaymentCanBeMadeIn(code: String) {
        #expect(Currency(code: code) == nil)
    }

    @Test func hasWellFormedAndDistinctNumbers() {
        let currencies = Currency.all.values
        #expect(currencies.count == 165)
        #expect(Set(currencies.map(\.numericCode)).count == currencies.count)
        #expect(currencies.allSatisfy { $0.code.utf8.count == 3 && $0.numericCode.utf8.count == 3 })
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: isoCodes)))
    func agreesWithIsoCodes() throws {
        struct List: Decodable {
            struct Entry: Decodable {
                let alpha_3: String
                let numeric: String
            }
            let entries: [Entry]
            enum CodingKeys: String, CodingKey { case entries = "4217" }
        }
        let list = try JSONDecoder().decode(List.self, from: Data(contentsOf: URL(filePath: Self.isoCodes)))
        for entry in list.entries {
            guard let currency = Currency(code: entry.alpha_3) else { continue }
            #expect(currency.numericCode == entry.numeric)
        }
        let theirs = Set(list.entries.map(\.alpha_3))
        // These currencies are younger than some releases of iso-codes.
        #expect(Set(Currency.all.keys).subtracting(theirs).isSubset(of: ["XAD", "XCG", "ZWG"]))
        // These currencies have been withdrawn since, or have no minor unit.
        #expect(
            theirs.subtracting(Currency.all.keys).isSubset(of: [
                "ANG", "BGN", "CUC", "HRK", "SLL", "ZWL", "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT",
                "XSU", "XTS", "XUA", "XXX",
            ]))
    }
}
