import ApplePayToken
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// A charge whose fields are within the limits of ``PortmoneOrderFields``; its initializer checks them.
struct PortmoneCharge: PreparedCharge {
    let order: Order
    let token: PaymentToken?
    private let request: APayRequest
    private let choice: PortmoneClients.Choice
    private let portmone: PortmoneGateway

    var gateway: String { portmone.name }

    /// - Parameter account: the merchant's name of the account.
    /// - Throws: ``ValidationErrors`` with every error of the fields.
    init(
        _ fields: [String: String], account: String, token: PaymentToken, for portmone: PortmoneGateway
    ) throws(ValidationErrors) {
        guard let choice = portmone.clients.choice(named: account) else {
            throw ValidationErrors([ValidationError(field: "account", detail: "is not one that is configured here")])
        }
        try ValidationErrors.throwIfAny(PortmoneOrderFields.errors(in: fields) + choice.entry.errors(in: fields))
        guard let order = Order(fields, account: account), let currency = Currency(code: order.currency) else {
            throw ValidationErrors([ValidationError(field: "amount", detail: "cannot be read")])
        }
        self.order = order
        self.token = token
        self.choice = choice
        self.portmone = portmone
        request = APayRequest(
            shopOrderNumber: order.merchantReference, amount: order.amount, currency: currency,
            isPreauthorization: order.command == .authorization, token: token)
    }

    /// Sends the charge, and queries `result` if the answer does not name the order or decides nothing. The
    /// published answers to `APay` do not name a payee, and may not name the order.
    func send() async -> Outcome<GatewayAnswer> {
        let deadline = Deadline(in: portmone.timeout)
        let outcome = await choice.client.send(request, timeout: portmone.timeout)
        guard case .answered(let answer) = outcome else { return outcome.map { _ in Self.undecided("") } }
        switch answer.content {
        case .nothing: return await ask(because: "nothing", until: deadline)
        case .failure(let failure, let entry):
            return await ask(because: "\(failure)", failed: entry, until: deadline)
        case .entries(let entries):
            guard let entry = entries.first, entries.count == 1 else {
                return .unknown(reason: "Portmone's answer to APay has \(entries.count) bills")
            }
            return await judge(entry, until: deadline)
        }
    }

    private var identity: PaymentIdentity {
        choice.entry.identity(of: order.merchantReference, currency: order.currency, amount: order.amount)
    }

    private func judge(_ entry: PortmoneEntry, until deadline: Deadline) async -> Outcome<GatewayAnswer> {
        let proven: ProvenEntry
        do throws(EvidenceError) {
            proven = try identity.proof(in: entry, naming: .order)
        } catch .incomplete {
            guard !entry.needs3DS else { return .answered(Self.undecided(Self.threeDSecure, entry)) }
            return await ask(because: "a bill that does not name the order", until: deadline)
        } catch {
            return .unknown(reason: "Portmone's answer proves nothing: \(error)")
        }
        switch proven.status {
        case .created where entry.needs3DS: return .answered(Self.undecided(Self.threeDSecure, entry, proven))
        case .payed where !entry.needs3DS:
            return .answered(meaning().answer(to: .paid(proven, returned: nil)))
        case .preauthorized where !entry.needs3DS: return .answered(meaning().answer(to: .held(proven)))
        case .rejected: return .answered(meaning().answer(to: .rejected([proven])))
        case .created, .payed, .preauthorized, .returned, nil:
            return await ask(
                because: "the status \(entry.status?.rawValue ?? "of no known name")", naming: proven, until: deadline)
        }
    }

    /// Queries `result` after an answer to `APay` that decides nothing. That includes every error: Portmone does
    /// not publish its error codes, and a bill may appear late, so no error proves that nothing was charged.
    ///
    /// - Parameters:
    ///   - failed: the entry of the answer to `APay`, if it was an error.
    ///   - named: the charge's bill, if the answer to `APay` named it. Its number stays known, whatever `result`
    ///     says.
    private func ask(
        because said: String, failed: PortmoneEntry? = nil, naming named: ProvenEntry? = nil, until deadline: Deadline
    ) async -> Outcome<GatewayAnswer> {
        let moment = portmone.now()
        let query = OrderQuery(
            client: choice.client, identity: identity, period: ResultPeriod(since: moment, at: moment),
            ownBill: named?.shopBillID)
        switch await query.answer(until: deadline) {
        case .notSent(let reason), .unknown(let reason):
            let open = "Portmone answered APay with \(said), and result was not answered: \(reason)"
            guard let named else { return .unknown(reason: open) }
            return .answered(Self.undecided(open, named.entry, named))
        case .answered(.notFound):
            let open = "Portmone answered APay with \(said), and has no bill of the order yet"
            return .answered(Self.undecided(open, failed ?? named?.entry, named))
        case .answered(let state):
            portmone.alertWhereSeveral(state, merchantReference: order.merchantReference)
            return .answered(meaning(naming: named).answer(to: state))
        }
    }

    private func meaning(naming named: ProvenEntry? = nil) -> MeaningOfOrders {
        MeaningOfOrders(
            payment: KnownPayment(charging: order, bill: named?.shopBillID), unseenReturn: portmone.unseenReturn,
            moment: portmone.now())
    }

    private static func undecided(
        _ reason: String, _ entry: PortmoneEntry? = nil, _ proven: ProvenEntry? = nil
    ) -> GatewayAnswer {
        GatewayAnswer(.pending(reason: reason), entry: entry, reference: proven?.shopBillID)
    }

    private static let threeDSecure =
        "the bank wants the customer on its own page (3-D Secure), which Apple's sheet cannot show; the bill will be closed"
}
