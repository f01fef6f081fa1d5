import PayrelayPrimitives

extension [PortmoneSandboxAccount] {
    /// Returns the account that a request's members name, after verifying its login and password.
    func account(of members: RequestMembers) throws(GatewayError) -> PortmoneSandboxAccount {
        guard let account = first(where: { $0.payeeId.isExactly(members["payeeId"] ?? "") }) else {
            throw .unknownPayee
        }
        // Both are always compared, so that the duration does not reveal which of them is wrong.
        let login = Secret(members["login"] ?? "") == Secret(account.login)
        let password = Secret(members["password"] ?? "") == account.password
        guard login, password else { throw .wrongCredentials }
        return account
    }
}

extension RequestMembers {
    /// The members that authenticate a request. Every method except `createLinkPayment` requires them.
    static let credentials = ["login", "password", "payeeId"]
}
