import AccessControl
import CommandLineParts
import Foundation
import TokenMint

/// The text that `payrelay-dev` prints when it listens: URLs to open, and a command to paste.
struct DevelopmentInstructions {
    /// The network of the relay; `nil` if it listens on loopback.
    let network: DevelopmentNetwork?
    /// `nil` if clients need not authenticate.
    let access: DevelopmentAccess?
    /// `nil` if no events are sent.
    let events: DevelopmentEvents?
    let ports: DevelopmentPorts
    let operatorKeys: KeyValuePairs<OperatorRole, OperatorKey>

    private var port: Int { ports.relay }

    var text: String {
        let address = network?.url(port: port) ?? "http://127.0.0.1:\(port)"
        let authority = network.map { " --cacert \($0.certificates.authorityFile)" } ?? ""
        let credential = access.map { " -H 'Authorization: Bearer \($0.keyText)'" } ?? ""
        return """
            \(trust(at: address))\(newKey)Open \(address)/ to pay on a checkout page. The sandbox's books: http://127.0.0.1:\(ports.sandbox)/_sandbox/orders
            Open http://127.0.0.1:\(ports.admin)/console to see and refund payments. Log in as
            \(operators)
            \(eventsText)
            To pay from a shell, paste this (each paste mints a new token and a new order):

            curl -s \(address)/v1/payments\(authority)\(credential) -H 'Content-Type: application/json' -d '{
              "command": "PURCHASE", "merchant_reference": "ORDER-'$(date +%s)'", "amount": 10000, "currency": "AED",
              "language": "en", "customer_email": "sara@example.com",
              "token": '"$(\(pathOfThisProgram) token mint --amount 100.00 --currency AED)"' }'

            """
    }

    private var operators: String {
        var table = TextTable(indentation: 2)
        for (role, key) in operatorKeys { table.add(role.rawValue, key.exposed) }
        return table.lines.joined(separator: "\n")
    }

    private var eventsText: String {
        guard let events else { return "" }
        let secret = events.newSecret.map { "signed with the secret \($0) (new at each start)" } ?? "signed"
        return "\nEvents go to \(events.url), \(secret).\n"
    }

    private func trust(at address: String) -> String {
        guard let network else { return "" }
        let authority = network.certificates.authority
        return """
            Open \(address)/trust on the phone, once: it says how to trust this relay. What the phone shows must be
              \(authority.commonName)
              SHA-256 \((try? authority.fingerprint) ?? "")

            """
    }

    private var newKey: String {
        guard let access, access.keyFile == nil else { return "" }
        return "The API key, new at each start: \(access.key.exposed)\n\n"
    }
}
