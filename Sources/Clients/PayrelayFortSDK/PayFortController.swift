#if canImport(PassKit) && !os(macOS)
public import Foundation
public import PassKit
import PayrelayAPI
import PayrelayClient
import PayrelayPrimitives

/// A class with the interface of FORT's `PayFortController`, for apps that move to payrelay. The app's Apple Pay
/// code stays the same, except for the import and the relay's URL. docs/moving-from-fort-sdk.md lists the old and
/// new lines.
///
/// `sdk_token` is the order token that the app's backend issues for this order. Every closure is called once, on
/// the main thread. If `may_have_been_charged` is `YES` in a failed response, the customer must not pay again.
///
/// ```swift
/// let controller = PayFortController(enviroment: .production, relay: relayURL)
/// controller.callPayFortForApplePay(
///     withRequest: request, applePayPayment: payment, currentViewController: self,
///     success: { _, response in show(response) }, faild: { _, _, message in show(message) })
/// ```
#if canImport(ObjectiveC)
@objc(PayFortController)
#endif
public final class PayFortController: NSObject, Sendable {
    /// FORT's closure with the request and the response, with FORT's names.
    public typealias Closure = @MainActor ([AnyHashable: Any]?, [AnyHashable: Any]?) -> Void
    /// FORT's closure for a failure: the request, the response, and the error's message.
    public typealias FailedClosure = @MainActor ([AnyHashable: Any]?, [AnyHashable: Any]?, String?) -> Void

    /// The key in a response whose value `YES` means that the customer may have been charged although the payment
    /// did not succeed.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static let mayHaveBeenChargedKey = FortResponse.mayHaveBeenCharged

    /// The key in a response whose value `YES` means that the relay has no payment, or sent nothing. The customer
    /// may pay again, but only under the same `merchant_reference`.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static let mayBePaidUnderSameReferenceKey = FortResponse.mayBePaidUnderSameReference

    private let environment: RelayEnvironment
    private let transport: any RelayTransport
    private let settings: RelayClient.Settings

    /// Apple's payment sheet closes by itself after about 30 seconds.
    private static let limit = TimeLimit.seconds(25)

    /// - Parameter relay: the relay's URL. If it cannot be used, each payment fails before anything is sent.
    #if canImport(ObjectiveC)
    @objc(initWithEnviroment:relay:)
    #endif
    public convenience init(enviroment: KPayFortEnviroment, relay: URL) {
        self.init(enviroment, relay, URLSessionTransport(), RelayClient.Settings())
    }

    init(
        _ enviroment: KPayFortEnviroment, _ relay: URL, _ transport: any RelayTransport,
        _ settings: RelayClient.Settings
    ) {
        environment = enviroment == .production ? .production(relay) : .development(relay)
        self.transport = transport
        self.settings = settings
    }

    /// Returns FORT's `device_id`, which is the same for every call of this installation.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public func getUDID() -> String {
        DeviceID.ofThisInstallation()
    }

    /// Pays with the token of the app's own payment sheet. The app closes the sheet in its closures.
    ///
    /// - Parameters:
    ///   - request: texts with FORT's names.
    ///   - currentViewController: not used, because nothing is shown.
    ///   - success: called if the money was authorized or captured.
    ///   - faild: called in every other case. For an uncertain payment the `response_code` is 15777.
    #if canImport(ObjectiveC)
    @objc(callPayFortForApplePayWithRequest:applePayPayment:currentViewController:Success:Faild:)
    #endif
    public func callPayFortForApplePay(
        withRequest request: NSDictionary, applePayPayment payment: PKPayment, currentViewController: AnyObject?,
        success: @escaping Closure, faild: @escaping FailedClosure
    ) {
        deliver(request, success, { _, _ in }, faild) { fortRequest throws(ValidationErrors) in
            let token: AppleToken
            do throws(AppleTokenError) {
                token = try AppleToken(payment)
            } catch {
                throw ValidationErrors([ValidationError(field: "applePayPayment", detail: error.description)])
            }
            return { [self] in
                FortResponse(
                    await client(fortRequest).payForSheet(fortRequest.order, with: token, within: Self.limit),
                    of: fortRequest)
            }
        }
    }

    /// Shows Apple's payment sheet and pays. (FORT's method with this name showed a form for cards.)
    ///
    /// - Parameters:
    ///   - request: texts with FORT's names, including `digital_wallet`.
    ///   - currentViewController: not used, because the sheet has its own window.
    ///   - paymentRequest: the request for the sheet. Its last summary item must show exactly the order's amount,
    ///     in the order's currency.
    ///   - canceled: called if the customer closed the sheet and nothing was sent.
    #if canImport(ObjectiveC)
    @objc(callPayFortWithRequest:currentViewController:paymentRequest:Success:Canceled:Faild:)
    #endif
    @MainActor
    public func callPayFort(
        withRequest request: NSDictionary, currentViewController: AnyObject?, paymentRequest: PKPaymentRequest,
        success: @escaping Closure, canceled: @escaping Closure, faild: @escaping FailedClosure
    ) {
        deliver(request, success, canceled, faild) { fortRequest throws(ValidationErrors) in
            // Safe: used only on the main thread.
            nonisolated(unsafe) let paymentRequest = paymentRequest
            return { @MainActor [self] in
                do throws(RelayError) {
                    let checkout = ApplePayCheckout(client(fortRequest), within: Self.limit)
                    switch try await checkout.pay(fortRequest.order, presenting: paymentRequest) {
                    case .paid(let result): return FortResponse(.success(result), of: fortRequest)
                    case .cancelled: return FortResponse(cancelled: fortRequest)
                    }
                } catch {
                    return FortResponse(.failure(error), of: fortRequest)
                }
            }
        }
    }

    /// Queries the relay about a payment whose outcome was not known, like FORT's `CHECK_STATUS`. It makes no
    /// payment, and can be called at any time, even after a restart of the app.
    ///
    /// - Parameters:
    ///   - request: the request of the payment, with a valid order token.
    ///   - success: called if the money was authorized or captured.
    ///   - faild: called as for a payment. If `may_have_been_charged` is `YES`, the outcome is not known yet. If
    ///     `may_be_paid_under_same_reference` is also `YES`, the customer may pay that reference again.
    #if canImport(ObjectiveC)
    @objc(checkStatusWithRequest:Success:Faild:)
    #endif
    public func checkStatus(
        withRequest request: NSDictionary, success: @escaping Closure, faild: @escaping FailedClosure
    ) {
        deliver(request, success, { _, _ in }, faild) { fortRequest throws(ValidationErrors) in
            { [self] in
                do throws(RelayError) {
                    let result = try await client(fortRequest).outcome(of: fortRequest.order, within: Self.limit)
                    return FortResponse(.success(result), of: fortRequest)
                } catch {
                    return FortResponse(.failure(error), of: fortRequest)
                }
            }
        }
    }

    private func client(_ request: FortRequest) -> RelayClient {
        RelayClient(environment, transport: transport, settings: settings) { _ in request.orderToken }
    }

    /// Reads the request, pays, and calls one of the closures.
    private func deliver(
        _ request: NSDictionary, _ success: @escaping Closure, _ canceled: @escaping Closure,
        _ faild: @escaping FailedClosure,
        _ payment: (FortRequest) throws(ValidationErrors) -> @Sendable () async -> FortResponse
    ) {
        // Entry by entry: Apple's Foundation bridges the whole dictionary with a cast, but swift-corelibs-foundation
        // only tests its type.
        let entries = Dictionary(
            request.compactMap { entry in (entry.key as? AnyHashable).map { ($0, entry.value) } },
            uniquingKeysWith: { first, _ in first })
        let pay: @Sendable () async -> FortResponse
        do throws(ValidationErrors) {
            pay = try payment(FortRequest(entries))
        } catch {
            pay = { FortResponse(error) }
        }
        // Without the credential, because apps print the request that they are given.
        let given = Dictionary(
            entries.compactMap { entry in (entry.key.base as? String).map { ($0, entry.value as? String) } },
            uniquingKeysWith: { first, _ in first }
        ).compactMapValues(\.self).filter { $0.key != "sdk_token" }
        Task { @MainActor in
            let response = await pay()
            switch response.closure {
            case .success: success(given, response.fields)
            case .canceled: canceled(given, response.fields)
            case .failed(let message): faild(given, response.fields, message)
            }
        }
    }
}
#endif
