public import ServiceLifecycle

/// What a processor brings to the server beside its `Processor`: routes of its own, services that run beside the listeners, and
/// what operators see of it. The server knows no processor by name.
public struct ProcessorExtension: Sendable {
    /// In lower case; its member in `/ready`.
    public let name: String
    public let routes: [Route]
    /// They stop after the listeners.
    public let services: [any Service]
    /// How it answers for each account.
    public let availability: @Sendable () -> [AccountAvailability]

    public init(
        name: String, routes: [Route] = [], services: [any Service] = [],
        availability: @escaping @Sendable () -> [AccountAvailability] = { [] }
    ) {
        self.name = name
        self.routes = routes
        self.services = services
        self.availability = availability
    }
}
