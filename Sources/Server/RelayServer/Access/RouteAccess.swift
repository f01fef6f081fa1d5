public import AccessControl
public import PaymentRelay

/// Who may use a route.
public enum RouteAccess: Sendable, Equatable {
    /// Every client alike, without authentication.
    case anyone
    /// Every client, without authentication, and under the listener's own names only: a page that the listener serves, and what
    /// the page asks of it.
    case ownPage
    /// The gateway, which authenticates each message by signing it. Such requests have slots of their own and count against no
    /// client's rate, since their sender is known only once the body was read.
    case gateway
    /// Clients with this scope that are not held to one order.
    case clients(with: Scope)
    /// Order tokens with this scope as well. A route of payments holds them to their order.
    case clientsAndOrderTokens(with: Scope)
    /// Operators whose role permits the action, by their key in `Authorization`.
    case operators(OperatorAction)
    /// A page of the console for operators whose role permits the action. It finds the operator by the browser's session, and leads to the
    /// login if there is none.
    case console(OperatorAction)

    /// Whether the sender must be known by the request's head.
    var needsSender: Bool {
        switch self {
        case .anyone, .ownPage, .gateway, .console: false
        case .clients, .clientsAndOrderTokens, .operators: true
        }
    }

    /// Whether only operators may use the route, also on a listener whose clients need not authenticate.
    var isForOperators: Bool { if case .operators = self { true } else { false } }

    /// - Throws: ``Problem`` 403 if the sender may not use the route.
    func check(_ sender: AuthenticatedSender) throws(Problem) {
        switch (self, sender) {
        case (.anyone, _), (.ownPage, _), (.gateway, _), (.console, _): return
        case (.clients, .client(let client)) where client.order != nil: throw .notForOrderTokens
        case (.clients(let scope), .client(let client)), (.clientsAndOrderTokens(let scope), .client(let client)):
            guard client.scopes.contains(scope) else { throw .scopeMissing(scope) }
        case (.operators(let action), .operator(let entry)):
            guard entry.role.may(action) else { throw .roleMissing(action.role) }
        // No listener has routes for both.
        case (.clients, .operator), (.clientsAndOrderTokens, .operator), (.operators, .client):
            throw Problem(AuthenticationError.unknownKey)
        }
    }
}

/// A sender that has authenticated.
enum AuthenticatedSender: Sendable {
    case client(AuthenticatedClient)
    case `operator`(OperatorEntry)

    var client: AuthenticatedClient? {
        if case .client(let client) = self { client } else { nil }
    }
}

/// How the senders of a listener's requests authenticate.
public enum RequestAuthentication: Sendable {
    /// In no way: the listener is on loopback, or its routes are for everyone.
    case none
    /// Clients by an API key or a JWT.
    ///
    /// - isRequired: false only on loopback: then a JWT is checked if one is sent.
    case clients(ReloadableValue<Authenticator>, isRequired: Bool = true)
    /// Operators by their keys.
    case operators(ReloadableValue<Operators>)

    var isRequired: Bool {
        switch self {
        case .none: false
        case .clients(_, let isRequired): isRequired
        case .operators: true
        }
    }

    /// - Parameter authorization: the field's whole value; `nil` if the request has none.
    /// - Throws: ``AuthenticationError``, also if nothing was sent that is checked here.
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
