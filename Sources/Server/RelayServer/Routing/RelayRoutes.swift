import AccessControl
public import ApplePaySession
import HTTPTypes
public import PaymentRelay

/// The relay's own routes, with the scope that each requires. A gateway adds its routes.
public struct RelayRoutes: Sendable {
    private let relay: PaymentRelay
    private let bodyLimit: Int
    private let sessions: SessionClient?
    private let domainFile: [UInt8]?
    private let simulatorTokens: SimulatorTokens?

    /// - Parameters:
    ///   - bodyLimit: the maximum size of a body, in bytes.
    ///   - sessions: `nil` if Apple Pay on the web is not configured.
    ///   - domainFile: the file that Apple reads to verify the merchant's domain, if any.
    ///   - simulatorTokens: `nil` if the iOS Simulator's token is rejected. It is accepted only in front of a
    ///     sandbox.
    public init(
        relay: PaymentRelay, bodyLimit: Int, sessions: SessionClient? = nil,
        domainFile: [UInt8]? = nil, simulatorTokens: SimulatorTokens? = nil
    ) {
        self.relay = relay
        self.bodyLimit = bodyLimit
        self.sessions = sessions
        self.domainFile = domainFile
        self.simulatorTokens = simulatorTokens
    }

    public var all: [Route] {
        let payment = GetPayment(relay: relay)
        let reference = "/v1/payments/{merchant_reference}"
        return [
            Route(
                .post, "/v1/payments", access: .clientsAndOrderTokens(with: .paymentsCreate), bodyLimit: bodyLimit,
                respond: CreatePayment(relay: relay, simulatorTokens: simulatorTokens).respond),
            Route(
                .get, "/v1/payments", access: .clients(with: .paymentsRead),
                respond: SearchPayments(relay: relay).respond),
            Route(
                .post, "/v1/recurring-payments", access: .clients(with: .recurringPaymentsCreate), bodyLimit: bodyLimit,
                respond: CreateRecurringPayment(relay: relay).respond),
            Route(
                .get, reference, access: .clientsAndOrderTokens(with: .paymentsRead),
                respond: payment.show),
            Route(
                .post, reference + "/sync", access: .clients(with: .paymentsManage),
                respond: payment.sync),
            Route(
                .get, reference + "/events", access: .clients(with: .paymentsRead),
                respond: GetEvents(relay: relay).respond),
            operation(.capture, at: reference + "/capture"),
            operation(.voidAuthorization, at: reference + "/void"),
            operation(.refund, at: reference + "/refund"),
            post(
                "/v1/apple-pay/sessions", .clientsAndOrderTokens(with: .sessionsCreate),
                CreateApplePaySession(client: sessions).respond),
            Route(
                .get, "/v1/settlement", access: .clients(with: .settlementRead),
                respond: GetSettlement(relay: relay).respond),
            post(
                "/v1/tokens/verify", .clients(with: .tokensVerify),
                VerifyToken(relay: relay).respond),
            Route(
                .get, "/.well-known/apple-developer-merchantid-domain-association", access: .anyone,
                respond: GetDomainAssociation(file: domainFile).respond),
            Route(.get, "/openapi.yaml", access: .anyone, respond: GetOpenAPI().respond),
            Route(.get, "/payrelay.js", access: .anyone, respond: GetWebAsset.module.respond),
            Route(.get, "/payrelay/{version}/payrelay.js", access: .anyone, respond: GetWebAsset.module.respond),
            Route(.get, "/payrelay.d.ts", access: .anyone, respond: GetWebAsset.declarations.respond),
        ]
    }

    private func operation(_ command: OperationCommand, at path: String) -> Route {
        post(
            path, .clients(with: .paymentsManage),
            CreateOperation(command: command, relay: relay).respond)
    }

    private func post(_ path: String, _ access: RouteAccess, _ respond: @escaping Route.Respond) -> Route {
        Route(.post, path, access: access, bodyLimit: bodyLimit, respond: respond)
    }
}
