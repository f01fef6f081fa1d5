import PayrelayPrimitives
import Testing

@testable import PortmoneAPI

@Suite struct AccountTests {
    @Test("every wrong value of an account is named")
    func wrongValues() {
        #expect {
            try PortmoneAccount(payeeID: "11-85", login: "", password: Secret(""), appleMerchantID: "com.example")
        } throws: { error in
            (error as? ValidationErrors)?.errors.map(\.field)
                == ["payee_id", "login", "password", "apple_merchant_id"]
        }
    }

    private func entry(_ name: String, _ payee: String, _ currencies: [String] = []) throws -> PortmoneAccounts.Entry {
        PortmoneAccounts.Entry(
            name: name, currencies: Set(try currencies.map(Samples.currency)),
            account: try Samples.account(payee: payee))
    }

    @Test("accounts are distinct in their payees")
    func distinct() throws {
        #expect(throws: MerchantAccountsError.none) { try PortmoneAccounts([]) }
        #expect(throws: MerchantAccountsError.repeated("payee")) {
            try PortmoneAccounts([entry("a", "1"), entry("b", "1")])
        }
    }

    @Test("an account is found by its payee")
    func byPayee() throws {
        let accounts = try PortmoneAccounts([entry("any", "1"), entry("uah", "2", ["UAH"])])
        #expect(accounts.entry(identifiedBy: "2")?.name == "uah")
        #expect(accounts.entry(identifiedBy: "3") == nil)
    }

    @Test("every wrong field of an order is named, and the unknown ones last")
    func fields() {
        let errors = PortmoneOrderFields.errors(in: [
            "command": "PAY", "merchant_reference": "a/b", "amount": "1.01", "currency": "uah",
            "customer_email": "nobody", "customer_ip": "here", "language": "ukr", "customer_name": "a\u{202E}b",
            "eci": "ECOMMERCE", "device_fingerprint": "x",
        ])
        #expect(
            errors.map(\.field) == [
                "command", "merchant_reference", "amount", "currency", "customer_email", "customer_ip", "customer_name",
                "language", "device_fingerprint", "eci",
            ])
        #expect(
            PortmoneOrderFields.errors(in: [:]).map(\.description) == [
                "command is missing", "merchant_reference is missing", "amount is missing", "currency is missing",
            ])
        #expect(
            PortmoneOrderFields.errors(in: [
                "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": "101", "currency": "UAH",
                "language": "uk", "customer_email": "olena@example.com", "customer_ip": "192.0.2.1",
            ]).isEmpty)
    }

    @Test("notifications are accepted from listed addresses, or from any address if none is listed")
    func sources() throws {
        let listed = NotificationSources([try #require(IPAddress("192.0.2.1"))])
        #expect(listed.allow("192.0.2.1") && listed.allow("::ffff:192.0.2.1"))
        #expect(!listed.allow("192.0.2.2") && !listed.allow(nil) && !listed.allow("192.0.2.1:80"))
        #expect(NotificationSources().allow(nil))
    }
}
