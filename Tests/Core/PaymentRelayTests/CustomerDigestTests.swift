import PaymentRelay
import Testing

/// The rules by which two phone numbers, or two names, are the same.
@Suite struct CustomerDigestTests {
    @Test(
        "A phone number is its last eight digits, however it is written",
        arguments: [
            "+971 50 123 4567", "00971501234567", "(050) 123-4567", "501234567", "050.123.4567",
            "\u{202D}+971501234567\u{202C}",
            "٠٥٠١٢٣٤٥٦٧", "۰۵۰ ۱۲۳ ۴۵۶۷", "tel: 050/1234567", "01234567",
        ])
    func phoneNumbers(text: String) { #expect(PhoneDigest(of: text) == PhoneDigest(of: "0501234567")) }

    @Test(
        "Different phone numbers differ, and a number that is too short or too long is refused",
        arguments: [
            "+971 50 123 4568", "0511234567", "", "1", "1234567", "+", String(repeating: "0501234567", count: 1_000),
            "\0",
        ])
    func otherNumbers(text: String) { #expect(PhoneDigest(of: text) != PhoneDigest(of: "0501234567")) }

    @Test(arguments: ["", "1", "1234567", "+", String(repeating: "1", count: 18), "\u{0}", "１２３４５６７８"])
    func numbersThatAreNone(text: String) { #expect(PhoneDigest(of: text) == nil) }

    @Test(
        "A name is its parts in any order, without case, marks, apostrophes and invisible characters",
        arguments: [
            ("Jane Doe", "DOE,  Jane"), ("José Ñúñez", "jose nunez"), ("José", "Jose\u{301}"),
            ("Jean-Luc O'Brien", "OBRIEN jean luc"),
            ("O’Brien", "o'brien"), ("İpek Yılmaz", "ipek yilmaz"), ("Łukasz Groß", "lukasz gross"),
            ("Nguyễn Thị Ánh", "nguyen thi anh"),
            ("أحمد الخليفة", "احمد الخليفه"), ("سَارَة القحطانى", "القحطاني سارة"), ("محـــمد", "محمد"),
            ("علی کریم", "علي كريم"),
            ("\u{202E}Jane\u{200F} Doe\u{202C}", "Jane Doe"), ("Jane\0\u{1}Doe", "Doe\nJane"),
            ("Дем’яненко Юлія", "юлія дем'яненко"),
            ("ΟΔΥΣΣΕΥΣ", "Οδυσσεύς"), ("\"Doe\", Jane.", "Jane Doe"),
        ])
    func names(one: String, other: String) {
        #expect(NameDigest(of: one) != nil)
        #expect(NameDigest(of: one) == NameDigest(of: other))
    }

    @Test(
        "Another name is another one, a part of it too",
        arguments: [("Jane Doe", "Jane"), ("Jane Doe", "JaneDoe"), ("Jane Doe", "Jane Doe Doe"), ("Ana", "Anna")])
    func otherNames(one: String, other: String) { #expect(NameDigest(of: one) != NameDigest(of: other)) }

    @Test(
        "A text without letters and digits is not a name",
        arguments: ["", " ", "\0", "\u{202E}\u{202C}", "...", "'", "\u{301}", "😀", "\u{FFFD}"])
    func namesThatAreNone(text: String) { #expect(NameDigest(of: text) == nil) }

    @Test func readsHostileNames() {
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 50_000)
        for name in [
            String(repeating: "a ", count: 50_000), marks, "a" + String(repeating: "\u{1F468}\u{200D}", count: 10_000),
        ] {
            let details = CustomerDetails(name: name, phoneNumber: name)
            #expect((details.name?.utf8.count ?? 0) <= 254 && details.nameDigest != nil && details.phoneDigest == nil)
        }
        #expect(NameDigest(of: marks) == NameDigest(of: "a"))
        #expect(CustomerDetails().nameDigest == nil && CustomerDetails().phoneDigest == nil)
    }
}
