import FoundationEssentials
import HTTPListener
import PayrelayAPI
import PayrelayPrimitives
import RelayServer
import TokenMint

/// `POST /_dev/tokens`: mints the token that a phone would create for a payment request, with the sandbox's keys.
struct MintToken {
    func respond(to request: RelayRequest) throws -> Answer {
        var members = JSONFieldReader(
            try request.json(), knowing: ["amount", "currency", "network", "signed_seconds_ago"])
        let text = members.text("amount", limit: 16, required: true)
        let code = members.text("currency", limit: 3, required: true)
        let network = members.choice("network", of: CardNetwork.allCases, named: \.rawValue) ?? .visa
        let age = members.whole("signed_seconds_ago", in: 0...86_400, "must be 0 to 86400") ?? 0
        let currency = code.flatMap { Currency(code: $0) }
        if code != nil, currency == nil { members.add("currency", "is not a currency of ISO 4217") }
        let amount = text.flatMap { text in currency.flatMap { Self.amount(text, in: $0) } }
        if text != nil, currency != nil, amount == nil {
            members.add("amount", "must be a decimal of the currency, as total.amount of a payment request")
        }
        guard members.errors.isEmpty, let amount, let currency else { throw Problem.invalidFields(members.errors) }
        let contents = TokenContents(amount: amount.value, currency: currency.code, network: network)
        return Answer(json: try TokenMint().mint(contents, signedAt: Date().addingTimeInterval(-Double(age))))
    }

    /// Returns the amount of a text as in Apple's payment requests, such as `100.00`; `nil` if the text is not an
    /// amount or is 0.
    static func amount(_ text: String, in currency: Currency) -> MinorUnits? {
        (try? MinorUnits(decimal: text, currency)).flatMap { $0 > .zero ? $0 : nil }
    }
}
