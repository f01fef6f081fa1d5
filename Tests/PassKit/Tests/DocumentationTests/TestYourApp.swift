// The code of the article "Test your app", with the lines that a test has around it.
import Foundation
import PayrelayClient
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private func expect(_ isTrue: Bool) { #expect(isTrue) }

private func order(_ reference: String) -> Order {
    Order(reference, amount: 10_000, currency: .AED, customerEmail: "sara@example.com")
}

private func anyToken() -> AppleToken {
    let token = AppleToken(json: [:])
    return token
}

func parsedToken(_ text: String) throws -> AppleToken {
    let token = AppleToken(json: try JSON(parsing: [UInt8](text.utf8)))
    return token
}

struct Minting {
    func mintedToken(for order: Order, at relay: URL) async throws -> AppleToken {
        var request = URLRequest(url: relay.appendingPathComponent("_dev/tokens"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let amount = order.amount.decimal(in: order.currency)
        request.httpBody = Data(#"{"amount": "\#(amount)", "currency": "\#(order.currency.code)"}"#.utf8)
        let (data, _) = try await URLSession.shared.data(for: request)
        return AppleToken(json: try JSON(parsing: [UInt8](data)))
    }
}

func loggingSettings() -> RelayClient.Settings {
    var settings = RelayClient.Settings()
    settings.log = { attempt in print(attempt) }
    return settings
}

func payWithTheFake() async throws {
    let token = anyToken()
    let relay = FakeRelay([
        .answers(.declined), .losesAnswer(of: .captured), .answers(.uncertain, then: .captured, after: 3),
    ])
    let first = try await relay.pay(order("ORDER-1"), with: token)
    expect(first.isSuccess == false)
    do throws(RelayError) {
        _ = try await relay.pay(order("ORDER-2"), with: token)
    } catch {
        expect(error == .noAnswer && error.mayHaveBeenCharged)
    }
    expect(try await relay.outcome(of: "ORDER-2").isSuccess)
    expect(relay.chargedOrders == [order("ORDER-2")])
}
