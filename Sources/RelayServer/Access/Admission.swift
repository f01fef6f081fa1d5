import AccessControl

/// Who may use a route.
enum Admission: Equatable {
    /// Everybody: it proves by itself who calls, or tells what anybody may know.
    case anyone
    /// Callers with this scope that are not held to one order.
    case callers(with: Scope)
    /// Order tokens as well. The route holds them to their order.
    case callersAndOrderTokens(with: Scope)
}
