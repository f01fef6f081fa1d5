/// The companies that can be paid. See Portmone's page "Masterpass iOS SDK", section 5.
///
/// ```swift
/// PayeeService().getPayees { payees, error in
///     if let payees { show(payees) } else { show(error) }
/// }
/// ```
@MainActor
public final class PayeeService {
    private let state: SDKState

    /// Creates the service. All instances share the same authorization.
    public convenience init() { self.init(.shared) }

    init(_ state: SDKState) {
        self.state = state
    }

    /// Reads the companies that can be paid.
    ///
    /// - Parameter completion: called once, on the main actor.
    public func getPayees(completion: @escaping PayeesCompletion) {
        let authorized = Result { () throws(PortmoneError) in try state.authorized() }
        deliver { () throws(PortmoneError) in
            let authorized = try authorized.get()
            return try await authorized.wallet.payees(in: authorized.session)
        } to: {
            completion($0.value, $0.error)
        }
    }
}
