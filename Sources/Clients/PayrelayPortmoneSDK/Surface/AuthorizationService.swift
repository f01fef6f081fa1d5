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

    /// The service. Every instance works with the same authorization.
    public convenience init() { self.init(.shared) }

    init(_ state: SDKState) {
        self.state = state
    }

    /// Authorizes a user for the life of the application, or until another user is authorized.
    ///
    /// - Parameters:
    ///   - phone: the mobile number, which is the identifier of the wallet: `380` and nine digits.
    ///   - userId: the user in the system of Portmone.
    ///   - completion: called once, on the main actor. With 2113, call ``validateCode(code:completion:)``; also 2005, 2006, 2012 and
    ///     2016. After any other error the user who was authorized before still is.
    public func authorize(phone: String, userId: String, completion: @escaping OperationCompletion) {
        let work = Result { () throws(PortmoneError) in try state.authorization(phone: phone, userId: userId) }
        deliver { () throws(PortmoneError) in
            try await work.get()()
        } to: {
            completion($0.error == nil, $0.error)
        }
    }

    /// Validates the one-time code that 2113 or 2114 asked for.
    ///
    /// - Parameters:
    ///   - code: is emptied.
    ///   - completion: called once, on the main actor. 2113 or 2114 ask for a further code: call again. 2107 and 2108 are about
    ///     the code itself.
    public func validateCode(code: MfsTextField, completion: @escaping OperationCompletion) {
        state.validate(code.takeText(), then: completion)
    }
}
