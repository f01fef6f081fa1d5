import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives

@testable import PayrelayClient

/// A checkout with a simulated sheet, a scripted relay and a manual clock.
struct Checkout {
    typealias Outcome = Result<CheckoutOutcome, RelayError>

    static let order = Order("ORDER-1001", amount: 10_000, currency: .AED, customerEmail: "sara@example.com")

    let clock: ManualClock
    let relay: ScriptedRelay
    let sheet: SimulatedSheet
    let client: RelayClient
    private let language: PaymentLanguage
    private let texts: CustomerTexts?
    private let onChange: SheetChangeHandler?

    init(
        _ script: [(seconds: Double, answer: ScriptedRelay.Answer)], sheet: SimulatedSheet = SimulatedSheet(),
        language: PaymentLanguage = .english, texts: CustomerTexts? = nil, clock: ManualClock = ManualClock(),
        orderToken: @escaping @Sendable (String) async throws -> String = { _ in "order-token" },
        onChange: SheetChangeHandler? = nil
    ) {
        self.clock = clock
        relay = ScriptedRelay(clock, script)
        self.sheet = sheet
        self.language = language
        self.texts = texts
        self.onChange = onChange
        var settings = RelayClient.Settings()
        settings.clock = clock
        client = RelayClient(.development, transport: relay, settings: settings, orderToken: orderToken)
    }

    @MainActor
    static func request(
        amount: String = "100.00", currency: String = "AED", asking fields: Set<PKContactField> = []
    ) -> PKPaymentRequest {
        let request = PKPaymentRequest()
        request.currencyCode = currency
        request.paymentSummaryItems = [
            PKPaymentSummaryItem(label: "Shipping", amount: NSDecimalNumber(string: "7")),
            PKPaymentSummaryItem(label: "Shop", amount: NSDecimalNumber(string: amount)),
        ]
        request.requiredShippingContactFields = fields
        return request
    }

    static func payment(
        _ data: String = #"{"version":"EC_v1"}"#, transaction: String = "aa11", email: String? = nil,
        phone: String? = nil, name: [String] = []
    ) -> PKPayment {
        let method = PKPaymentMethod(displayName: "Visa 1111", network: .visa, type: .debit)
        let token = PKPaymentToken(
            paymentMethod: method, transactionIdentifier: transaction, paymentData: Data(data.utf8))
        let contact = PKContact()
        contact.emailAddress = email
        contact.phoneNumber = phone.map { CNPhoneNumber(stringValue: $0) }
        var components = PersonNameComponents()
        components.givenName = name.first
        components.familyName = name.count > 1 ? name.last : nil
        contact.name = components
        return PKPayment(token: token, shippingContact: contact)
    }

    /// Presents the sheet, runs the test's actions on it, lets time pass, and returns the outcome for the app.
    func run(
        asking fields: Set<PKContactField> = [], slot: SheetSlot? = nil, patience: Int? = nil,
        _ customer: @escaping @Sendable (Checkout) async -> Void
    ) async -> Outcome {
        let task = start(asking: fields, slot: slot)
        return await passing(clock, patience: patience) {
            await customer(self)
            return await task.value
        }
    }

    /// Presents the sheet.
    func start(asking fields: Set<PKContactField> = [], slot: SheetSlot? = nil) -> Task<Outcome, Never> {
        Task { @MainActor in
            await SimulatedSheet.$current.withValue(sheet) {
                let checkout = ApplePayCheckout(client, within: .seconds(25), texts: texts, slot: slot ?? SheetSlot())
                var order = Self.order
                order.language = language
                do throws(RelayError) {
                    let request = Self.request(asking: fields)
                    return .success(try await checkout.pay(order, presenting: request, onChange: onChange))
                } catch {
                    return .failure(error)
                }
            }
        }
    }
}
