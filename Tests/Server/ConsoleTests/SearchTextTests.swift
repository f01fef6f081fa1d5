import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import Console

/// Texts that people paste into the search box.
@Suite struct SearchTextTests {
    private let today = CalendarDay(parsing: "2026-03-01")

    private func understood(_ text: String) throws -> SearchText { SearchText(text, today: try #require(today)) }

    @Test(
        "A card is found as it is masked anywhere, or named by a phone",
        arguments: [
            "0492", "**** 0492", "•••• 0492", "xxxx-xxxx-xxxx-0492", "ending in 0492", "card 0492", "*0492",
        ])
    func cards(text: String) throws {
        #expect(try understood(text) == .parameter("card_last_four", "0492"))
    }

    @Test(
        "A card with its scheme is found by both",
        arguments: [
            ("Visa 0492", "visa"), ("American Express 0492", "amex"), ("AmEx 0492", "amex"), ("mada 0492", "mada"),
            ("MasterCard •••• 0492", "mastercard"), ("Master Card 0492", "mastercard"),
        ])
    func schemes(text: String, network: String) throws {
        #expect(try understood(text) == .card(network: network, lastFour: "0492"))
    }

    @Test(
        "A whole mask is found exactly, however it is written",
        arguments: ["411111******0492", "4111 11** **** 0492", "411111XXXXXX0492", "4111-11••-••••-0492"])
    func masks(text: String) throws {
        #expect(try understood(text) == .maskedCard("411111******0492"))
    }

    @Test(
        "The word for an outcome finds the payments that have it",
        arguments: [
            ("declined", "declined"), ("Partially refunded", "partially_refunded"), ("not_processed", "not_processed"),
        ])
    func outcomes(text: String, outcome: String) throws {
        #expect(try understood(text) == .parameter("outcome", outcome))
    }

    @Test(
        "A moment in words is before now, and a time of the day is the last one, unless it may be ahead",
        arguments: [
            ("last hour", "2026-03-01T11:30:00Z"), ("1 hour ago", "2026-03-01T11:30:00Z"),
            ("an hour ago", "2026-03-01T11:30:00Z"), ("last 90 minutes", "2026-03-01T11:00:00Z"),
            ("30 min ago", "2026-03-01T12:00:00Z"), ("2 days ago", "2026-02-27T12:30:00Z"),
            ("now", "2026-03-01T12:30:00Z"),
            // The zone is four hours ahead: the time there is 16:30.
            ("09:00", "2026-03-01T05:00:00Z"), ("23:00", "2026-02-28T19:00:00Z"), ("9:05:30", "2026-03-01T05:05:30Z"),
        ])
    func moments(text: String, moment: String) throws {
        let now = try Date("2026-03-01T12:30:00Z", strategy: .iso8601)
        let zone = try #require(ZoneDatabase.zone("+04:00"))
        #expect(RelativeMoment(text, before: now, at: zone, mayBeAhead: false)?.date.rfc3339 == moment)
    }

    @Test(
        "A text that is not a time is refused as a time",
        arguments: [
            "", "ago", "last", "last year", "0 hours ago", "-1 hours ago", "24:00", "12:60", "12", "1:2:3:4",
            "99999 hours ago",
        ])
    func notMoments(text: String) throws {
        #expect(RelativeMoment(text, before: Date(), at: .utc, mayBeAhead: false) == nil)
        let now = try Date("2026-03-01T12:30:00Z", strategy: .iso8601)
        let ahead = RelativeMoment("23:00", before: now, at: .utc, mayBeAhead: true)
        #expect(ahead?.date.rfc3339 == "2026-03-01T23:00:00Z")
    }

    @Test(
        "How far apart two moments are is said in one unit",
        arguments: [
            (0, "0 s"), (59.9, "59 s"), (60, "1 min"), (-3_599, "59 min"), (3_600, "1 h"), (86_400, "1 day"),
            (400_000, "4 days"),
        ])
    func distances(seconds: Double, words: String) { #expect(TimeDistance(seconds).words == words) }

    @Test("A reference is not read as a masked card", arguments: ["X1234", "#1234", "x-2041", "XX-0492", "ORDER 0492"])
    func references(text: String) throws {
        if case .parameter("card_last_four", _) = try understood(text) { Issue.record("\(text) is read as a card") }
    }

    @Test(
        "Amounts are read as people write them",
        arguments: [
            ("349.50 AED", "349.50", "AED"), ("AED 349.50", "349.50", "AED"), ("aed349.5", "349.5", "AED"),
            ("349,50", "349.50", nil), ("1,250.00", "1250.00", nil), ("1.250,00 EUR", "1250.00", "EUR"),
            ("1,250 AED", "1250", "AED"), ("1 250.00", "1250.00", nil), ("10.500 KWD", "10.500", "KWD"),
            ("٣٤٩٫٥٠", "349.50", nil), ("1,234,567.89", "1234567.89", nil), ("350 AED", "350", "AED"),
        ] as [(String, String, String?)])
    func amounts(text: String, number: String, currency: String?) throws {
        #expect(try understood(text) == .amount(number, currency: currency))
    }

    @Test(
        "A text that is not an amount is not read as one",
        arguments: ["1,25,0.00", "1..2", "1.2.3", ",5", "5,", "-5.00", "1,2,3", "1e3", "", "1_000", "１２.５０"])
    func notAmounts(text: String) { #expect(DecimalText.plain(text) == nil) }

    @Test("An email is found in the line of a mail")
    func emails() throws {
        #expect(try understood("Sara Ali <sara@example.com>") == .parameter("customer_email", "sara@example.com"))
        #expect(try understood("sara@example.com") == .parameter("customer_email", "sara@example.com"))
    }

    @Test("Days in words are those of the form's zone")
    func days() throws {
        func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(parsing: text)) }
        let today = try day("2026-03-01")
        #expect(DayRange(words: "Today", today: today)?.first == today)
        let yesterday = try #require(DayRange(words: "yesterday", today: today))
        #expect(try yesterday.first == day("2026-02-28") && yesterday.end == today)
        #expect(try DayRange(words: "last  7 days", today: today)?.first == day("2026-02-23"))
        for text in ["last 0 days", "last 99999 days", "last -1 days", "last days", "next 7 days", "last 7 weeks"] {
            #expect(DayRange(words: text, today: today) == nil, "\(text)")
        }
    }

    @Test(
        "A phone number is found as people write it",
        arguments: [
            "+971 50 123 4567", "+971501234567", "(050) 123-4567", "050 123 4567", "00 971 50 123 4567", "50 123 4567",
            "٠٥٠١٢٣٤٥٦٧",
            "\u{202D}+971 50 123 4567\u{202C}", "phone 971501234567", "Phone: 0501234567",
        ])
    func phoneNumbers(text: String) throws {
        guard case .parameter("phone_number", let number) = try understood(text) else {
            Issue.record("\(text)")
            return
        }
        #expect(PhoneDigest(of: number) == PhoneDigest(of: "0501234567"))
    }

    @Test(
        "A name is words of letters",
        arguments: [
            "Sara Ali", "Ali, Sara", "سارة علي", "علي، سارة", "سارة", "Jean-Luc O’Brien", "J. R. R. Tolkien",
            "name Sara", "José",
        ])
    func names(text: String) throws {
        guard case .parameter("customer_name", _) = try understood(text) else {
            Issue.record("\(text)")
            return
        }
    }

    @Test(
        "A text is tried as a reference first, and then as the gateway's number, a phone number, a name or an authorization code"
    )
    func others() throws {
        for (text, parameter, others) in [
            ("0501234567", "merchant_reference_prefix", ["gateway 0501234567", "phone 0501234567"]),
            ("987654321", "merchant_reference_prefix", ["gateway 987654321", "phone 987654321"]),
            ("14008", "merchant_reference_prefix", ["gateway 14008", "code 14008"]),
            ("S0A0012", "merchant_reference_prefix", ["auth S0A0012"]),
            ("00971501234567", "processor_reference", ["phone 00971501234567"]),
            ("050-123-4567", "merchant_reference_prefix", ["phone 050-123-4567"]),
            ("Sara", "merchant_reference_prefix", ["name Sara"]),
            ("S0A001", "merchant_reference_prefix", ["auth S0A001"]),
            ("831000", "merchant_reference_prefix", ["gateway 831000", "auth 831000"]),
            ("4111111111111111", "processor_reference", []),
            ("ORDER-1", "merchant_reference_prefix", []),
            ("Sarahs", "merchant_reference_prefix", ["name Sarahs", "auth Sarahs"]),
            ("\u{202E}evil", "merchant_reference_prefix", ["name evil"]),
        ] {
            guard case .parameter(parameter, _) = try understood(text) else {
                Issue.record("\(text)")
                continue
            }
            #expect(SearchText.others(text).map(\.text) == others)
        }
        #expect(try understood("Gateway: 987654321") == .parameter("processor_reference", "987654321"))
        #expect(try understood("auth S0A001") == .parameter("authorization_code", "S0A001"))
        #expect(try understood("code 13012") == .parameter("response_code", "13012"))
    }

    @Test(
        "A text that cannot be understood is reported",
        arguments: [
            "4111 1111 1111 1111", "4111-1111-1111-1111", "+971 50", "(050)", "phone 1", "1234 567", "٣٤٩", "😀",
            "I paid on Monday and got nothing", "Sara 2", "\u{202E}", "Jane\u{0}Doe", String(repeating: "a", count: 41),
            String(repeating: "*", count: 300), "**** 111", "' OR 1=1 --",
        ])
    func unknown(text: String) throws {
        guard case .unknown = try understood(text) else {
            Issue.record("\(text)")
            return
        }
    }
}
