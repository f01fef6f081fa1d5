public import AccessControl
public import PaymentRelay

/// The clients that may use a route.
public enum RouteAccess: Sendable, Equatable {
    /// Every client, without authentication.
    case anyone
    /// Every client, without authentication, but only under the listener's own host names: for pages that the
    /// listener serves, and for the requests that such a page makes.
    case ownPage
    /// The gateway, which authenticates each message with a signature. Such requests have their own slots and do
    /// not count against any client's rate, because the sender is known only after the body was read.
    case gateway
    /// Clients with this scope, except those with an order token.
    case clients(with: Scope)
    /// Clients and order tokens with this scope. A payment route restricts an order token to its order.
    case clientsAndOrderTokens(with: Scope)
    /// Operators whose role permits the action. They authenticate with their key in `Authorization`.
    case operators(OperatorAction)
    /// A page of the console, for operators whose role permits the action. The page finds the operator by the
    /// browser's session and leads to the login if there is no session.
    case console(OperatorAction)

    /// Whether the sender must be authenticated by the request's head.
    var needsSender: Bool {
        switch self {
        case .anyone, .ownPage, .gateway, .console: false
        case .clients, .clientsAndOrderTokens, .operators: true
        }
    }

    /// Whether only operators may use the route, even on a listener whose clients need not authenticate.
    var isForOperators: Bool { if case .operators = self { true } else { false } }

    /// Checks that the sender may use the route.
    ///
    /// - Throws: ``Problem`` 403 if the sender may not use the route.
    func check(_ sender: AuthenticatedSender) throws(Problem) {
        switch (self, sender) {
        case (.anyone, _), (.ownPage, _), (.gateway, _), (.console, _): return
        case (.clients, .client(let client)) where client.order != nil: throw .notForOrderTokens
        case (.clients(let scope), .client(let client)), (.clientsAndOrderTokens(let scope), .client(let client)):
            guard client.scopes.contains(scope) else { throw .scopeMissing(scope) }
        case (.operators(let action), .operator(let entry)):
            guard entry.role.may(action) else { throw .roleMissing(action.role) }
        // No listener has both routes for clients and routes for operators.
        case (.clients, .operator), (.clientsAndOrderTokens, .operator), (.operators, .client):
            throw Problem(AuthenticationError.unknownKey)
        }
    }
}

/// An authenticated sender.
enum AuthenticatedSender: Sendable {
    case client(AuthenticatedClient)
    case `operator`(OperatorEntry)

    var client: AuthenticatedClient? {
        if case .client(let client) = self { client } else { nil }
    }
}

/// How the senders of a listener's requests authenticate.
public enum RequestAuthentication: Sendable {
    /// No authentication: the listener is on loopback, or its routes are open to everyone.
    case none
    /// Clients authenticate with an API key or a JWT.
    ///
    /// - isRequired: false only on loopback. Then a JWT is checked only if the request has one.
    case clients(ReloadableValue<Authenticator>, isRequired: Bool = true)
    /// Operators authenticate with their keys.
    case operators(ReloadableValue<Operators>)

    var isRequired: Bool {
        switch self {
        case .none: false
        case .clients(_, let isRequired): isRequired
        case .operators: true
        }
    }

    /// Authenticates the sender of a request.
    ///
    /// - Parameter authorization: the whole field value; `nil` if the request has no such field.
    /// - Throws: ``AuthenticationError``, also if the request has no credential of a kind that is checked here.
    func authenticate(_ authorization: String?) async throws(AuthenticationError) -> AuthenticatedSender {
        switch self {
        case .none: throw .missing
        case .clients(let authenticator, let isRequired):
            guard isRequired || Authenticator.hasToken(authorization: authorization) else { throw .missing }
            return .client(try await authenticator.value.authenticate(authorization: authorization))
        case .operators(let operators):
            guard let key = OperatorKey(try Authenticator.credential(in: authorization)),
                let entry = operators.value.entry(with: key)
            else { throw .unknownKey }
            return .operator(entry)
        }
    }
}
