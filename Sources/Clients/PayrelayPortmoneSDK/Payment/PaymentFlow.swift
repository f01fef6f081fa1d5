import PayrelayPrimitives

/// A report to the delegate about a payment's progress.
enum PaymentNews<Transaction: PaymentTransaction> {
    case finished(Transaction)
    case failed(PortmoneError)
    case waitingFor2d(Transaction)
    case waitingForCode(Transaction)
    case waitingFor3d(PortmoneWebView)
    case finished3d(PortmoneWebView)
}

/// The calls of a payment, in their order. Each call is answered once, on the main actor, after it has returned.
@MainActor
final class PaymentFlow<Transaction: PaymentTransaction> {
    private let state: SDKState
    private let tell: (PaymentNews<Transaction>) -> Void

    init(_ state: SDKState, tell: @escaping (PaymentNews<Transaction>) -> Void) {
        self.state = state
        self.tell = tell
    }

    func quote(
        _ params: CommissionParams, completion: @escaping (Transaction?, (any Error)?) -> Void,
        recipient: () throws(PortmoneError) -> ProposedPayment.Recipient
    ) {
        let prepared = Result { () throws(PortmoneError) in
            let authorized = try state.authorized()
            return (authorized, try Self.proposal(params, recipient))
        }
        deliver { () throws(PortmoneError) in
            let (authorized, proposal) = try prepared.get()
            let quote = try await authorized.wallet.quote(proposal, in: authorized.session)
            return Transaction(
                Payment(
                    id: quote.payment, session: authorized.session, proposal: proposal, payeeId: quote.payeeId,
                    commission: quote.commission, origin: .getCommission))
        } to: {
            completion($0.value, $0.error)
        }
    }

    private static func proposal(
        _ params: CommissionParams, _ recipient: () throws(PortmoneError) -> ProposedPayment.Recipient
    ) throws(PortmoneError) -> ProposedPayment {
        let amount = try params.checked()
        return ProposedPayment(
            recipient: try recipient(), card: params.card, amount: amount, merchantLogin: params.merchantLogin,
            billNumber: params.billNumber)
    }

    func proceed(_ transaction: Transaction, with params: PaymentParams) {
        let payment = transaction.payment
        let prepared = Result { () throws(PortmoneError) in
            let authorized = try self.authorized(for: payment, from: .getCommission, else: .notFromGetCommission)
            guard !params.contractNumber.isEmpty else { throw .contractNumberEmpty }
            return authorized
        }
        deliver { () throws(PortmoneError) in
            let authorized = try prepared.get()
            return (try await authorized.wallet.pay(payment.id, params, in: authorized.session), authorized)
        } to: { [self] in
            switch $0 {
            case .success((.paid(let bill), _)): end(payment, .success(bill))
            case .success((.verificationBy2d, _)):
                tell(.waitingFor2d(Transaction(payment.handedOut(by: .proceedPayment))))
            case .success((.verificationBy3d(let page), let authorized)): show(page, of: payment, authorized)
            case .failure(let error): tell(.failed(error))
            }
        }
    }

    func startVerification(_ transaction: Transaction, cvv2: String) {
        let payment = transaction.payment
        let cvv = SecretText(cvv2)
        let prepared = Result { () throws(PortmoneError) in
            let authorized = try self.authorized(for: payment, from: .proceedPayment, else: .notFromProceedPayment)
            guard !cvv.isEmpty else { throw .cvvEmpty }
            guard cvv.isDigits(3...3) else { throw .cvc2Invalid }
            return authorized
        }
        deliver { () throws(PortmoneError) in
            defer { cvv.wipe() }
            let authorized = try prepared.get()
            try await authorized.wallet.startVerification(of: payment.id, cvv: cvv, in: authorized.session)
        } to: { [tell] in
            switch $0 {
            case .success: tell(.waitingForCode(Transaction(payment.handedOut(by: .startVerify2dCard))))
            case .failure(let error): tell(.failed(error))
            }
        }
    }

    func finishVerification(_ transaction: Transaction, verificationCode: String) {
        let payment = transaction.payment
        let code = SecretText(verificationCode)
        let prepared = Result { () throws(PortmoneError) in
            let authorized = try self.authorized(for: payment, from: .startVerify2dCard, else: .notFromStartVerify)
            guard !code.isEmpty else { throw .verificationCodeEmpty }
            guard code.isDigits(1...10) else { throw .validationCodeInvalid }
            return authorized
        }
        deliver { () throws(PortmoneError) in
            defer { code.wipe() }
            let authorized = try prepared.get()
            return try await authorized.wallet.finishVerification(of: payment.id, code: code, in: authorized.session)
        } to: { [self] in
            end(payment, $0)
        }
    }

    /// Returns the wallet of the transaction, if the transaction belongs to the user who is authorized now.
    private func authorized(
        for payment: Payment, from origin: Payment.Origin, else error: PortmoneError
    ) throws(PortmoneError) -> AuthorizedWallet {
        let authorized = try state.authorized()
        guard payment.origin == origin else { throw error }
        guard payment.session == authorized.session else { throw error.with("it is of another authorization") }
        return authorized
    }

    /// Shows the page of a verification, and ends the payment after it.
    ///
    /// - Parameter authorized: the wallet that is queried for the outcome, even if another user is authorized by
    ///   then.
    private func show(_ page: VerificationPage, of payment: Payment, _ authorized: AuthorizedWallet) {
        let webView = PortmoneWebView(page) { [self] webView in
            if let webView { tell(.finished3d(webView)) }
            deliver { () throws(PortmoneError) in
                try await authorized.wallet.outcomeOfPage(of: payment.id, in: authorized.session)
            } to: { [self] in
                end(payment, $0)
            }
        }
        tell(.waitingFor3d(webView))
    }

    private func end(_ payment: Payment, _ outcome: Result<Bill, PortmoneError>) {
        switch outcome {
        case .success(let bill): tell(.finished(Transaction(payment.handedOut(by: .finished, bill: bill))))
        case .failure(let error): tell(.failed(error))
        }
    }
}
