/// Authorizes a user. See Portmone's page "Masterpass iOS SDK", section 2.
///
/// ```swift
/// AuthorizationService().authorize(phone: "380501234567", userId: "user-1") { isAuthorized, error in
///     isAuthorized ? showCards() : show(error)
/// }
/// ```
@MainActor
public final class AuthorizationService {
    private let state: SDKState

    /// Creates the service. All instances share the same authorization.
    public convenience init() { self.init(.shared) }

    init(_ state: SDKState) {
        self.state = state
    }

    /// Authorizes a user until the application ends, or until another user is authorized.
    ///
    /// - Parameters:
    ///   - phone: the mobile number, which is the identifier of the wallet: `380` and nine digits.
    ///   - userId: the user's identifier in Portmone's system.
    ///   - completion: called once, on the main actor. For the error 2113, call
    ///     ``validateCode(code:completion:)``. Other errors are 2005, 2006, 2012 and 2016. After those, the user
    ///     who was authorized before is still authorized.
    public func authorize(phone: String, userId: String, completion: @escaping OperationCompletion) {
        let work = Result { () throws(PortmoneError) in try state.authorization(phone: phone, userId: userId) }
        deliver { () throws(PortmoneError) in
            try await work.get()()
        } to: {
            completion($0.error == nil, $0.error)
        }
    }

    /// Validates the one-time code that the error 2113 or 2114 required.
    ///
    /// - Parameters:
    ///   - code: the field with the code. It is emptied.
    ///   - completion: called once, on the main actor. The errors 2113 and 2114 require a further code: call this
    ///     method again. The errors 2107 and 2108 are about the code itself.
    public func validateCode(code: MfsTextField, completion: @escaping OperationCompletion) {
        state.validate(code.takeText(), then: completion)
    }
}
