import Foundation
import PayrelayClient
import ShopCheckout
import SwiftUI

@main struct ShopApp: App {
    @StateObject private var checkout = ObservedCheckout()

    var body: some Scene {
        WindowGroup { ShopView(checkout: checkout) }
    }
}

/// The checkout for SwiftUI.
@MainActor final class ObservedCheckout: ObservableObject {
    /// The address of Examples/web-shop/serve.mjs on this Mac, which serves the backend and the relay at one origin. Your
    /// address is an https URL; then use `.production(url)`.
    private static let url = URL(string: "http://127.0.0.1:8000") ?? URL(fileURLWithPath: "/")

    @Published private(set) var products: [Product] = []
    let backend = HTTPShopBackend(ObservedCheckout.url)
    let model: CheckoutModel

    init() {
        let backend = backend
        let relay = RelayClient(.development(Self.url)) { try await backend.orderToken(for: $0) }
        let payments = SheetPayments(relay, ApplePayCheckout(relay), backend)
        model = CheckoutModel(backend: backend, payments: payments, open: StoredPayment())
        model.onChange = { [weak self] in self?.objectWillChange.send() }
    }

    func load() async {
        await model.check()
        products = (try? await backend.products()) ?? []
    }
}

/// A reference that is stored in the app's defaults, because it must outlive the app. It is not a secret of the customer.
final class StoredPayment: OpenPayment {
    var merchantReference: String? {
        get { UserDefaults.standard.string(forKey: "openPayment") }
        set { UserDefaults.standard.set(newValue, forKey: "openPayment") }
    }
}
