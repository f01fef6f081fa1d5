public import PaymentRelay
public import PayrelayPrimitives
public import PortmoneAPI

extension GatewayHint {
    /// Returns the hints in a notification. Each hint is for one account.
    ///
    /// A notification names an order and a bill, and sometimes a payee. If it names a payee, only that payee's
    /// account is queried; a notification for an unknown payee yields no hint. If it does not name a payee, every
    /// account is queried, with one hint each.
    public static func hints(in notification: PortmoneNotification, for accounts: PortmoneAccounts) -> [GatewayHint] {
        notification.notices.flatMap { notice -> [GatewayHint] in
            guard let payee = notice.payeeID else { return accounts.entries.map { GatewayHint(notice, $0) } }
            return accounts.entry(identifiedBy: payee).map { [GatewayHint(notice, $0)] } ?? []
        }
    }

    /// Creates a hint for an account. No notification names a currency, so the hint has the account's currency if
    /// the account accepts only one.
    private init(_ notice: PortmoneNotice, _ entry: PortmoneAccounts.Entry) {
        let amount = entry.onlyCurrency.flatMap { currency in
            notice.amountText.flatMap { DecimalAmount.read($0, in: currency) }
        }
        let (subject, statement) = Self.meaning(of: notice.status)
        self.init(
            account: entry.name, merchantReference: notice.shopOrderNumber, subject: subject, statement: statement,
            amount: amount, currency: entry.onlyCurrency?.code, gatewayReference: notice.shopBillID)
    }

    private static func meaning(of status: PortmoneStatus?) -> (Subject, Statement) {
        switch status {
        case .preauthorized: (.charge(.authorization), .authorized)
        case .payed: (.charge(.purchase), .captured)
        case .rejected: (.charge(.purchase), .declined)
        case .returned: (.operation(.refund), .refunded)
        case .created, nil: (.charge(.purchase), .undecided)
        }
    }
}
