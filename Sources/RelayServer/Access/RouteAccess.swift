import AccessControl

/// Who may use a route.
enum RouteAccess: Equatable {
    /// Everybody: it proves by itself who calls, or tells what anybody may know.
    case anyone
    /// Clients with this scope that are not held to one order.
    case clients(with: Scope)
    /// Order tokens as well. The route holds them to their order.
    case clientsAndOrderTokens(with: Scope)
}
