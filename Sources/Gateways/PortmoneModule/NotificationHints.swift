public import PaymentRelay
public import PayrelayPrimitives
public import PortmoneAPI

extension GatewayHint {
    /// Returns the hints in a notification, each for one account.
    ///
    /// A notification names an order and a bill, and perhaps a payee. Where it names one, only that payee's account is asked, and a payee
    /// that is not ours is about nothing here. Where it names none, each account is asked: the hint becomes one for each of them.
    public static func hints(in notification: PortmoneNotification, for accounts: PortmoneAccounts) -> [GatewayHint] {
        notification.notices.flatMap { notice -> [GatewayHint] in
            guard let payee = notice.payeeID else { return accounts.entries.map { GatewayHint(notice, $0) } }
            return accounts.entry(identifiedBy: payee).map { [GatewayHint(notice, $0)] } ?? []
        }
    }

    /// The currency is the account's, where it takes one alone: no notification says it.
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
