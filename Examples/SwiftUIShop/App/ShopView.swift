import PassKit
import ShopCheckout
import SwiftUI

struct ShopView: View {
    @ObservedObject var checkout: ObservedCheckout
    @State private var counts: [String: Int] = [:]
    @State private var sheet = ApplePaySheet()

    private var model: CheckoutModel { checkout.model }

    var body: some View {
        NavigationView {
            List {
                switch model.state {
                case .choosing: cart
                case .ordering: ProgressView()
                case .ready(let order): payment(of: order)
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

    @ViewBuilder private func payment(of order: ShopOrder) -> some View {
        if PKPaymentAuthorizationController.canMakePayments() {
            ApplePayButton { sheet.show(order, for: model) }.frame(height: 48)
        } else {
            Text("This device has no Apple Pay.")
        }
    }

    private func count(of product: String) -> Binding<Int> {
        Binding(get: { counts[product, default: 0] }, set: { counts[product] = $0 })
    }
}

/// Apple's own button. (SwiftUI's needs iOS 16.)
struct ApplePayButton: UIViewRepresentable {
    let action: () -> Void

    func makeUIView(context: Context) -> PKPaymentButton {
        let button = PKPaymentButton(paymentButtonType: .buy, paymentButtonStyle: .automatic)
        button.addAction(UIAction { _ in action() }, for: .touchUpInside)
        return button
    }

    func updateUIView(_ button: PKPaymentButton, context: Context) {}
}
