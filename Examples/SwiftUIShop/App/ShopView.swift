import PassKit
import PayrelayClient
import ShopCheckout
import SwiftUI

struct ShopView: View {
    @ObservedObject var checkout: ObservedCheckout
    @State private var counts: [String: Int] = [:]

    private var model: CheckoutModel { checkout.model }

    var body: some View {
        NavigationView {
            List {
                switch model.state {
                case .choosing: cart
                case .ordering: ProgressView()
                case .ready: payment
                case .paying: ProgressView("Paying…")
                case .checking:
                    Text("Your payment is being checked. Please do not pay again.")
                    Button("Check again") { Task { await model.check() } }
                case .paid: Text("Thank you. Your order is paid.")
                case .declined:
                    Text("The card was declined. Nothing was charged.")
                    cart
                }
                if let failure = model.failure { Text(failure).foregroundColor(.red) }
            }
            .navigationTitle("Example Shop")
        }
        .task { await checkout.load() }
    }

    @ViewBuilder private var cart: some View {
        ForEach(checkout.products) { product in
            Stepper(value: count(of: product.id), in: 0...10) {
                Text("\(product.name): \(counts[product.id, default: 0])")
            }
        }
        Button("Order") { Task { await model.order(counts.filter { $0.value > 0 }) } }
            .disabled(counts.values.allSatisfy { $0 == 0 })
    }

    @ViewBuilder private var payment: some View {
        if PKPaymentAuthorizationController.canMakePayments() {
            ApplePayButton { Task { await model.pay() } }.frame(height: 48)
        } else {
            Text("This device has no Apple Pay.")
        }
    }

    private func count(of product: String) -> Binding<Int> {
        Binding(get: { counts[product, default: 0] }, set: { counts[product] = $0 })
    }
}
