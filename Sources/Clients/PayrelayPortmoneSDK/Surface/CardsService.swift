/// The cards of the authorized user's wallet. See Portmone's page "Masterpass iOS SDK", section 3.
///
/// ```swift
/// CardsService().getMasterpassCards { cards, error in
///     if let cards { show(cards) } else { show(error) }
/// }
/// ```
@MainActor
public final class CardsService {
    private let state: SDKState

    /// Creates the service. All instances share the same authorization.
    public convenience init() { self.init(.shared) }

    init(_ state: SDKState) {
        self.state = state
    }

    /// Reads the wallet's cards. The list is empty if there is no wallet.
    ///
    /// - Parameter completion: called once, on the main actor.
    public func getMasterpassCards(completion: @escaping MasterpassCardsCompletion) {
        let authorized = Result { () throws(PortmoneError) in try state.authorized() }
        deliver { () throws(PortmoneError) in
            let authorized = try authorized.get()
            return try await authorized.wallet.cards(in: authorized.session)
        } to: {
            completion($0.value, $0.error)
        }
    }

    /// Adds a card to the wallet. A missing wallet is created.
    ///
    /// - Parameters:
    ///   - card: the card's name and expiry date.
    ///   - cardNumber: the field with the card's number. It is emptied.
    ///   - cvv: the field with the card's security code. It is emptied.
    ///   - completion: called once, on the main actor. For the errors 2113 and 2114, call
    ///     ``validateCode(code:completion:)``. Other errors are 2102 to 2106 and 2112.
    public func addMasterpassCard(
        card: MfsCard, cardNumber: MfsTextField, cvv: MfsTextField, completion: @escaping OperationCompletion
    ) {
        let secrets = (number: cardNumber.takeText(), cvv: cvv.takeText())
        let request = Result { () throws(PortmoneError) in
            (try state.authorized(), try NewCard(card, number: secrets.number, cvv: secrets.cvv))
        }
        deliver { () throws(PortmoneError) in
            defer {
                secrets.number.wipe()
                secrets.cvv.wipe()
            }
            let (authorized, card) = try request.get()
            if let verification = try await authorized.wallet.add(card, in: authorized.session) {
                throw verification.error
            }
        } to: {
            completion($0.error == nil, $0.error)
        }
    }

    /// Deletes a card. If it is the last card, the wallet is deleted, too.
    ///
    /// - Parameters:
    ///   - cardName: the ``MasterpassCard/name`` of the card.
    ///   - completion: called once, on the main actor.
    public func deleteMasterpassCard(cardName: String, completion: @escaping OperationCompletion) {
        let authorized = Result { () throws(PortmoneError) in
            let authorized = try state.authorized()
            guard !cardName.isEmpty else { throw .cardNameEmpty }
            return authorized
        }
        deliver { () throws(PortmoneError) in
            let authorized = try authorized.get()
            try await authorized.wallet.deleteCard(named: cardName, in: authorized.session)
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

/// The name in the heading of Portmone's page. The page's samples use ``CardsService``.
public typealias CardService = CardsService
