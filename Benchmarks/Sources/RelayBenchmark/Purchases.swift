import ApplePayToken
import FortAPI
import Foundation
import Measuring
import PayrelayPrimitives
import TokenMint

/// Prepared payments, each with a separate reference and token, in two forms: as a caller sends them to the relay, and as the
/// relay sends them to FORT.
///
/// They are minted before a clock starts. Each measurement begins with an empty journal and an empty sandbox, so that all
/// measurements can use the same payments.
struct Purchases: Sendable {
    /// The bodies of `POST /v1/payments`.
    private(set) var forRelay: [[UInt8]] = []
    /// The bodies of FORT's `APPLE_PAY` requests.
    private(set) var forFort: [[UInt8]] = []

    var count: Int { forRelay.count }

    /// Mints `count` payments, on every core.
    static func minted(_ count: Int, called name: String = "ORDER") async throws -> Purchases {
        let pieces = (0..<count).chunked(into: 256)
        return try await withThrowingTaskGroup(of: (Int, Purchases).self) { group in
            for (place, numbers) in pieces.enumerated() {
                group.addTask { (place, try Purchases(numbers, called: name)) }
            }
            var made = [Purchases](repeating: Purchases(), count: pieces.count)
            for try await (place, purchases) in group { made[place] = purchases }
            var all = Purchases()
            for piece in made {
                all.forRelay += piece.forRelay
                all.forFort += piece.forFort
            }
            return all
        }
    }

    private init() {}

    private init(_ numbers: Range<Int>, called name: String) throws {
        let mint = TokenMint()
        for number in numbers {
            let json = try mint.mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
            let order = Self.order("\(name)-\(number)")
            var body = JSONObject(order.map { ($0.key, .string($0.value)) })
            body["amount"] = 10_000
            body["token"] = json
            forRelay.append(JSON.object(body).encoded())
            forFort.append(try Self.message(order, PaymentToken(json: json)).body)
        }
    }

    /// Returns FORT's signed request for an order of the sandbox's account.
    static func message(_ order: [String: String], _ token: PaymentToken) throws -> FortMessage {
        FortMessage(signing: try FortRequest(order: order, token: token), for: try SandboxAccount.fortAccount())
    }

    private static func order(_ reference: String) -> [String: String] {
        [
            "command": "PURCHASE", "merchant_reference": reference, "amount": "10000", "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
        ]
    }
}

extension Purchases {
    /// Returns the requests to the relay.
    ///
    /// - Parameter length: The length of each body in bytes. Shorter bodies are filled up with white space after the JSON.
    func toRelay(paddedTo length: Int = 0) -> Requests { requests(forRelay, to: "/v1/payments", length) }

    /// Returns the requests to FORT, or to a proxy before FORT.
    func toFort(paddedTo length: Int = 0) -> Requests { requests(forFort, to: "/FortAPI/paymentApi", length) }

    private func requests(_ bodies: [[UInt8]], to path: String, _ length: Int) -> Requests {
        var requests = Requests()
        for body in bodies {
            let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, length - body.count))
            requests.append(body + padding, to: path)
        }
        return requests
    }

    /// Returns the first `count` payments.
    func prefix(_ count: Int) -> Purchases {
        var part = Purchases()
        part.forRelay = Array(forRelay.prefix(count))
        part.forFort = Array(forFort.prefix(count))
        return part
    }
}

extension Range<Int> {
    fileprivate func chunked(into size: Int) -> [Range<Int>] {
        stride(from: lowerBound, to: upperBound, by: size).map { $0..<Swift.min($0 + size, upperBound) }
    }
}
