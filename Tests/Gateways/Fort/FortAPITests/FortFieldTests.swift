import PayrelayPrimitives
import Testing

@testable import FortAPI

/// The limits of every parameter.
struct FortFieldTests {
    private func errors(_ name: String, _ value: String?) -> [String] {
        FortField.named(name)?.errors(in: value) ?? ["no such field"]
    }

    @Test(
        arguments: FortField.ofOrder.filter {
            switch $0.content {
            case .characters, .paddedCharacters: true
            default: false
            }
        })
    func takesAFreeTextAtItsLimitAndNotOnePast(field: FortField) throws {
        let limit = try #require(field.maximumLength)
        #expect(field.errors(in: String(repeating: "1", count: limit)) == [])
        #expect(field.errors(in: String(repeating: "1", count: limit + 1)) == ["must be at most \(limit) characters"])
    }

    @Test func takesAnAmountOfTenDigits() {
        #expect(errors("amount", "9999999999") == [])
        #expect(errors("amount", "1") == [])
    }

    @Test(arguments: ["10000000000", "0", "-1", "+1", "01", "1.5", "1e3", "1 000", "١٠", "true", "0x1", "１"])
    func refusesAnAmountThatIsNotMinorUnits(amount: String) {
        #expect(errors("amount", amount) == ["must be a whole number of minor units, 1 to 9999999999"])
    }

    @Test func takesAnEmailAddressAtItsLimitAndNotOnePast() {
        let address = String(repeating: "a", count: 242) + "@example.com"
        #expect(errors("customer_email", address) == [])
        #expect(errors("customer_email", "a" + address) == ["must be at most 254 characters"])
    }

    @Test(arguments: ["a@b.co", "S00116-3@hef.org.sa", "first.last+tag@sub.example.com", "a_b@x-y.example"])
    func takesEmailAddresses(address: String) {
        #expect(errors("customer_email", address) == [])
    }

    @Test(arguments: [
        "nobody", "a@b", "@example.com", "a@", "a@@example.com", "a@b@example.com", "a b@example.com", "a@example..com",
        "a@.com", "a@example.com.", "a=b@example.com", "é@example.com", " a@example.com", "a@exam_ple.com",
    ])
    func refusesTextsThatAreNoEmailAddress(address: String) {
        #expect(errors("customer_email", address) == ["must be an email address such as name@example.com"])
    }

    @Test(arguments: ["192.178.1.10", "2001:0db8:3042:0002:5a55:caff:fef6:bdbf", "::1", "::ffff:192.0.2.1"])
    func takesAddressesOfBothFamilies(address: String) {
        #expect(errors("customer_ip", address) == [])
    }

    @Test(arguments: ["localhost", "192.0.2", "192.0.2.256", "1.2.3.4:80", "fe80::1%eth0", "[::1]", "192.0.2.1 "])
    func refusesTextsThatAreNoIPAddress(address: String) {
        #expect(errors("customer_ip", address) == ["must be an IPv4 or IPv6 address"])
    }

    @Test(arguments: [
        ("customer_name", "محمد الأحمد"), ("customer_name", "Zoë O'Brien-Núñez, Jr."),
        ("order_description", "iPhone 6-S / #1 $ 'x'"), ("order_description", "اشتراك سنوي"),
        ("phone_number", "+971 (50) 123-4567"), ("statement_descriptor", "MYSTORE-PURCHASE"),
        ("merchant_extra", "customer_id:12345,campaign:summer2024"), ("merchant_extra5", "a;b/c@d.e'f g"),
        ("merchant_reference", "XYZ9239-yu898_1.2"), ("eci", "ECOMMERCE"), ("recurring_mode", "UNSCHEDULED"),
    ])
    func takesTheCharactersThatTheGuidesAllow(name: String, value: String) {
        #expect(errors(name, value) == [])
    }

    @Test(arguments: [
        ("merchant_reference", "a b", "U+0020"), ("merchant_reference", "a/b", "U+002F (/)"),
        ("merchant_reference", "ORDER١", "U+0661"), ("merchant_reference", "A ", "U+0020"),
        ("customer_name", "a<script>", "U+003C (<)"), ("order_description", "50% off", "U+0025 (%)"),
        ("phone_number", "0096a", "U+0061 (a)"), ("phone_number", "٠٠٩٦", "U+0660"),
        ("statement_descriptor", "CAFÉ", "U+00C9"), ("merchant_extra", "a\"b", "U+0022 (\")"),
        ("merchant_extra1", "😀", "U+1F600"),
    ])
    func namesTheCharacterThatIsNotAllowed(name: String, value: String, codePoint: String) {
        let errors = errors(name, value)
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix("must not contain \(codePoint);") == true)
    }

    @Test(arguments: FortField.all.filter { $0.content != .object })
    func refusesControlCharactersEverywhere(field: FortField) {
        for control in ["\n", "\r", "\t", "\0", "\u{7F}", "\u{85}", "\u{1B}", "\u{202E}", "\u{2028}"] {
            for value in ["a\(control)b", "a\(control)", "\(control)a"] {
                #expect(field.errors(in: value).first?.hasPrefix("must not contain the control character U+") == true)
            }
        }
    }

    /// FORT repeats an order's values in its answers. With a `=` a value could pose as another parameter.
    @Test(arguments: FortField.ofOrder)
    func refusesTheEqualsSignInOrders(field: FortField) {
        #expect(!field.errors(in: "1=1").isEmpty)
    }

    /// The guide's limits: letters and digits, `@ - . _ ' / # \ : = ? & ; ( ) $ % + !` and spaces, at most 4000 characters.
    @Test func takesADevicesFingerprint() {
        let base64 = "04003hQUMXGB0poNf94lis1ztjBzMkNZpX7JYV+/"
        for good in [base64, base64 + "=", base64 + "==", "a@b-c.d_e'f/g#h\\i:j?k&l;m(n)o$p%q+r!s t"] {
            #expect(errors("device_fingerprint", good) == [])
        }
        #expect(errors("device_fingerprint", String(repeating: "x", count: 3_998) + "==") == [])
        #expect(errors("device_fingerprint", String(repeating: "x", count: 3_999) + "==").count == 1)
        // Within the value an equals sign could pose as another parameter of FORT's signed text.
        for bad in ["a=b", "=a", "a===", "a= =", "é", "a\"b", "a<b"] {
            let errors = errors("device_fingerprint", bad)
            #expect(errors.count == 1 && errors.first?.hasPrefix("must not contain U+") == true, "\(bad)")
        }
    }

    /// The words of PassKit, Apple Pay JS and FORT for a network mean the same network.
    @Test(arguments: [
        "Visa", "visa", "masterCard", "MasterCard", "amex", "AmEx", "mada", "Mada", "MADA", "discover", "jcb",
    ])
    func theCaseOfANetworksNameIsNoLimitViolation(word: String) {
        #expect(FortField.named("apple_network")?.warnings(in: word) == [])
        for other in ["maestro", "madа", "mada1", "Elo"] {
            #expect(FortField.named("apple_network")?.warnings(in: other).count == 1)
        }
        // Values of an order must be written exactly as FORT writes them.
        #expect(errors("currency", "aed").count == 1 && errors("command", "purchase").count == 1)
    }

    @Test(arguments: ["unknown", "eMoney"]) func aKindOfCardThatFORTDoesNotListIsPassedOnWithAWarning(word: String) {
        #expect(FortField.named("apple_type")?.errors(in: word) == [])
        #expect(FortField.named("apple_type")?.warnings(in: word).count == 1)
    }

    @Test func onlyMandatoryFieldsMustBePresent() {
        for field in FortField.all {
            for nothing in [nil, "", " "] as [String?] {
                #expect(field.errors(in: nothing) == (field.isMandatory ? ["is missing"] : []), "\(field.name)")
            }
        }
    }

    @Test(arguments: [
        ("language", "fr"), ("language", "EN"), ("command", "REFUND"), ("eci", "MOTO"), ("currency", "ZZZ"),
    ])
    func refusesOtherValues(name: String, value: String) {
        #expect(errors(name, value).count == 1)
    }

    @Test func namesEveryErrorOfAField() {
        #expect(errors("merchant_reference", String(repeating: "/", count: 41)).count == 2)
    }

    @Test func warnsOnlyIfATokenExceedsTheDocumentedLimits() throws {
        let data = try #require(FortField.named("apple_data"))
        let long = String(repeating: "A", count: 501)
        #expect(data.errors(in: long) == [])
        #expect(data.warnings(in: long) == ["must be at most 500 characters"])
        #expect(data.warnings(in: String(long.dropLast())) == [])
        #expect(FortField.named("apple_network")?.errors(in: "Elo") == [])
        #expect(FortField.named("apple_network")?.warnings(in: "Elo").count == 1)
        #expect(FortField.named("merchant_reference")?.warnings(in: long) == [])
    }

    @Test func trimsWhiteSpaceAroundAndNotWithin() {
        #expect("  a  b \u{A0}\n".trimmedOfWhiteSpace == "a  b")
        #expect(" \t ".trimmedOfWhiteSpace == "")
        #expect("".trimmedOfWhiteSpace == "")
    }
}
