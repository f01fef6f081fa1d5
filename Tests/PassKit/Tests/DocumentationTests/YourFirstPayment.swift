// The code of the article "Your first payment", with the lines that an app has around it.
import Foundation
import PassKit
import PayrelayClient

enum Screen: Sendable {
    case cart, thanks, offerAnotherPayment, isBeingChecked
}

struct Backend: Sendable {
    func orderToken(for reference: String) async throws -> String { "order-token-for-\(reference)" }

    func quote(_ reference: String, shipping: String?) async throws -> (amount: MinorUnits, orderToken: String) {
        (shipping == nil ? 10_000 : 11_500, "order-token-for-\(reference)")
    }
}

func makeClient(_ relay: URL, _ backend: Backend) -> RelayClient {
    let client = RelayClient(.production(relay)) { reference in
        try await backend.orderToken(for: reference)
    }
    return client
}

func makeOrder() throws -> Order {
    let price = try MinorUnits(Decimal(string: "100.00") ?? 0, .AED)
    let order = Order("ORDER-1001", amount: price, currency: .AED, customerEmail: "sara@example.com")
    return order
}

@MainActor
func present(_ order: Order, _ client: RelayClient) async throws(RelayError) -> CheckoutOutcome {
    let request = PKPaymentRequest()
    request.merchantIdentifier = "merchant.com.example.shop"
    request.countryCode = "AE"
    request.currencyCode = order.currency.code
    request.supportedNetworks = [.visa, .masterCard, .mada]
    request.merchantCapabilities = .capability3DS
    request.requiredShippingContactFields = [.emailAddress]
    request.paymentSummaryItems = [
        PKPaymentSummaryItem(label: "Shop", amount: NSDecimalNumber(decimal: order.amount.decimal(in: order.currency)))
    ]
    let outcome = try await ApplePayCheckout(client).pay(order, presenting: request)
    return outcome
}

@MainActor
func presentWithShipping(
    _ order: Order, _ request: PKPaymentRequest, _ client: RelayClient, _ backend: Backend
) async throws(RelayError) -> CheckoutOutcome {
    let outcome = try await ApplePayCheckout(client).pay(order, presenting: request) { selection in
        let quote = try await backend.quote(order.merchantReference, shipping: selection.shippingMethod)
        return SheetUpdate(amount: quote.amount, orderToken: quote.orderToken)
    }
    return outcome
}

func screen(after outcome: CheckoutOutcome) -> Screen {
    switch outcome {
    case .cancelled: return .cart
    case .paid(.authorized), .paid(.captured): return .thanks
    case .paid(.declined), .paid(.notProcessed), .paid(.returned): return .offerAnotherPayment
    case .paid(.uncertain): return .isBeingChecked
    }
}

@MainActor
func checkOut(_ order: Order, _ client: RelayClient) async -> Screen {
    do throws(RelayError) {
        return screen(after: try await present(order, client))
    } catch {
        return error.mayHaveBeenCharged ? .isBeingChecked : .offerAnotherPayment
    }
}

func look(at reference: String, _ client: RelayClient) async throws -> Screen {
    let result = try await client.outcome(of: reference)
    return screen(after: .paid(result))
}

func pay(
    _ order: Order, _ token: AppleToken, _ client: RelayClient, _ completion: (PKPaymentAuthorizationResult) -> Void
) async {
    do throws(RelayError) {
        let result = try await client.pay(order, with: token)
        completion(PKPaymentAuthorizationResult(SheetResult(.success(result), asking: [.emailAddress])))
    } catch {
        completion(PKPaymentAuthorizationResult(SheetResult(.failure(error), asking: [.emailAddress])))
    }
}
