import Foundation
import Testing

@testable import PayrelayPortmoneSDK

/// The SDK's surface against Portmone's page, in both directions.
@Suite(.enabled(if: PublishedPage.isThere)) struct PublishedSurfaceTests {
    /// Returns the spellings of a Swift type in the page's tables. `Buill` is a misprint. The time of payment is a date in one
    /// chapter and a number in another.
    private static func documented(_ type: String) -> [String] {
        switch type {
        case "Bool": ["boolean"]
        case "Bill": ["Bill", "Buill"]
        case "Date": ["Date", "long"]
        default: [type]
        }
    }

    /// The second name that the published binary gives to a field, besides the table's name.
    private static let secondNames: Set = ["emailAddress"]

    @Test(
        "Each type has the fields of its table, with their types and nullability, and no others",
        arguments: [
            ("Payee", 24), ("MasterpassCard", 2), ("Bill", 4), ("CommissionParams", 4), ("PaymentParams", 6),
            ("PayeePaymentTransaction", 5), ("TopUpMobileTransaction", 6),
        ])
    func fields(type: String, count: Int) throws {
        let tables = try PublishedPage.tables(under: "\(type) object")
        #expect(!tables.isEmpty)
        for rows in tables {
            var rows = rows
            #expect(rows.count == count)
            for property in try LibrarySource.properties(of: type) where !Self.secondNames.contains(property.name) {
                let isOptional = property.type.hasSuffix("?")
                let swiftType = isOptional ? String(property.type.dropLast()) : property.type
                let place = rows.firstIndex { row in
                    Self.documented(swiftType).contains { row.hasPrefix(property.name + $0) }
                }
                let row = rows.remove(at: try #require(place, "\(type).\(property.name)"))
                if row.hasSuffix("required") { #expect(!isOptional, "\(row)") }
                if row.hasSuffix("optional") { #expect(isOptional, "\(row)") }
            }
            #expect(rows.isEmpty, "\(type) lacks \(rows)")
        }
    }

    @Test("The services and delegates have the functions of the page, label for label, and no others")
    func functions() throws {
        let published = try PublishedPage.declarations(["public func ", "func "])
        var own: Set<String> = []
        for type in [
            "AuthorizationService", "CardsService", "PayeeService", "PayeePaymentService", "TopUpMobileService",
            "PayeePaymentDelegate", "TopUpMobileServiceDelegate",
        ] {
            own.formUnion(try LibrarySource.functions(of: type))
        }
        #expect(published.count == 23)
        #expect(own == published)
    }

    @Test("The SDK is initialized with the two texts of the page")
    func initialization() throws {
        let rows = try #require(try PublishedPage.tables(under: "Parameters").first)
        #expect(rows.count == 2 && rows.allSatisfy { $0.hasSuffix("required") })
        #expect(rows[0].hasPrefix("clientIdString") && rows[1].hasPrefix("merchantKeyString"))
        let initializer: @MainActor (String, String) -> PortmoneSDK = PortmoneSDK.init(merchantKey:clientId:)
        _ = initializer
    }

    @Test("Each function is of the type that the page names")
    func owners() throws {
        for (type, names) in [
            ("AuthorizationService", ["authorize", "validateCode"]),
            ("CardsService", ["addMasterpassCard", "deleteMasterpassCard", "getMasterpassCards", "validateCode"]),
            ("PayeeService", ["getPayees"]),
            (
                "PayeePaymentService",
                ["finishVerify2dCard", "getCommission", "proceedPayment", "startVerify2dCard"]
            ),
            (
                "TopUpMobileService",
                ["finishVerify2dCard", "getCommission", "proceedPayment", "startVerify2dCard"]
            ),
        ] {
            let functions = try LibrarySource.functions(of: type)
            #expect(functions.compactMap { $0.firstMatch(of: /func (\w+)/).map { String($0.1) } }.sorted() == names)
        }
        let delegate = try LibrarySource.functions(of: "PayeePaymentDelegate")
        let other = try LibrarySource.functions(of: "TopUpMobileServiceDelegate")
        #expect(delegate.count == 6)
        #expect(Set(delegate.map { $0.replacing("PayeePayment", with: "TopUpMobile") }) == other)
    }

    @Test("The type aliases are those of the page")
    func typeAliases() throws {
        let published = try PublishedPage.declarations(["public typealias "])
        #expect(published.count == 5)
        #expect(try LibrarySource.typeAliases() == published)
        #expect(CardService.self == CardsService.self)
    }

    @Test("The errors are those of the page, with their texts")
    func errors() throws {
        let published = try PublishedPage.errors()
        #expect(published.count == 32)
        let own = Dictionary(uniqueKeysWithValues: PortmoneError.published.map { ($0.code, $0.text) })
        #expect(own == published)
        #expect(PortmoneError.published.map(\.code) == published.keys.sorted())
    }

    @Test("Every line of the page's samples that uses the SDK is compiled with these tests")
    func samples() throws {
        let compiled = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "SampleApp.swift"),
            encoding: .utf8
        ).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let samples = try PublishedPage.sampleLines()
        #expect(samples.count > 40)
        for line in samples { #expect(compiled.contains(line)) }
    }
}
