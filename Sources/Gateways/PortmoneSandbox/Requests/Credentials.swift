import PayrelayPrimitives

extension [PortmoneSandboxAccount] {
    /// The account that a request's members name, once its login and password are right.
    func account(of members: RequestMembers) throws(GatewayError) -> PortmoneSandboxAccount {
        guard let account = first(where: { $0.payeeId.isExactly(members["payeeId"] ?? "") }) else {
            throw .unknownPayee
        }
        // Both are compared, so that the time does not tell which is wrong.
        let login = Secret(members["login"] ?? "") == Secret(account.login)
        let password = Secret(members["password"] ?? "") == account.password
        guard login, password else { throw .wrongCredentials }
        return account
    }
}

extension RequestMembers {
    /// Members that authenticate a request; every method but `createLinkPayment` requires them.
    static let credentials = ["login", "password", "payeeId"]
}
