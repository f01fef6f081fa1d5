import FoundationEssentials
import PayrelayPrimitives

extension MasterpassSandbox {
    /// The last digits of the phone numbers that have a wallet from another app.
    static let phoneWithWallet = "2113"

    /// Links the client to the phone's wallet, if there is one. Linking needs a code of the card's bank.
    func authorize(_ request: SandboxRequest) throws(SandboxError) -> JSONObject {
        let client = request.text("clientId")
        guard !request.text("merchantKey").isEmpty, !client.isEmpty else { throw SandboxError(2016) }
        let phone = try Self.phone(request.text("phone"))
        guard let userId = request.optional("userId") else { throw SandboxError(2012) }
        let fault = SandboxFault(userId: userId)
        if let fault, fault.call == .authorize { throw SandboxError(fault.code) }
        if phone.ends(with: Self.phoneWithWallet), wallets[phone] == nil {
            wallets[phone] = PhoneWallet(linkedClients: [], cards: [SandboxCard(elsewhere: month + 12)])
        }
        var session = SandboxSession(phone: phone, clientId: client, fault: fault, isAuthorized: true)
        if let wallet = wallets[phone], !wallet.linkedClients.contains(client) {
            session.isAuthorized = false
            session.pending = .linking
            session.codes = [.card]
        }
        let token = randomName()
        sessions[token] = session
        return Self.asking(for: session.codes.first, ["session": .string(token)])
    }

    /// Validates a code.
    ///
    /// - Throws: 2107 or 2108; 2018 after too many wrong codes, or if no code is expected.
    func validate(
        _ code: String, _ token: String, _ session: SandboxSession
    ) throws(SandboxError) -> JSONObject {
        var session = session
        guard !code.isEmpty else { throw SandboxError(2107) }
        guard let pending = session.pending, let asked = session.codes.first else {
            throw SandboxError(2018, "no code is asked for")
        }
        guard code.isExactly(asked.rawValue) else {
            session.triesLeft -= 1
            if session.triesLeft <= 0 {
                session.pending = nil
                session.codes = []
            }
            sessions[token] = session
            throw session.pending == nil ? SandboxError(2018, "too many wrong codes") : SandboxError(2108)
        }
        session.codes.removeFirst()
        session.triesLeft = SandboxCode.tries
        if session.codes.isEmpty {
            session.pending = nil
            sessions[token] = session
            switch pending {
            case .linking:
                session.isAuthorized = true
                wallets[session.phone]?.linkedClients.insert(session.clientId)
            case .adding(let card): try keep(card, session)
            }
        }
        sessions[token] = session
        return Self.asking(for: session.codes.first)
    }

    func addCard(
        _ request: SandboxRequest, _ token: String, _ session: SandboxSession
    ) throws(SandboxError) -> JSONObject {
        let card = try SandboxCard(request, month: month)
        try checkRoom(for: card, session)
        guard !card.codes.isEmpty else {
            try keep(card, session)
            return [:]
        }
        var session = session
        session.pending = .adding(card)
        session.codes = card.codes
        session.triesLeft = SandboxCode.tries
        sessions[token] = session
        return Self.asking(for: card.codes.first)
    }

    /// Deletes a card. The wallet is deleted with its last card.
    func deleteCard(named name: String, _ session: SandboxSession) throws(SandboxError) -> JSONObject {
        guard !name.isEmpty else { throw SandboxError(2106) }
        guard var wallet = wallets[session.phone], wallet.card(named: name) != nil else {
            throw SandboxError(2200, "the wallet has no card of this name")
        }
        wallet.cards.removeAll { $0.name.isExactly(name) }
        wallets[session.phone] = wallet.cards.isEmpty ? nil : wallet
        return [:]
    }

    private func checkRoom(for card: SandboxCard, _ session: SandboxSession) throws(SandboxError) {
        guard let wallet = wallets[session.phone] else { return }
        guard wallet.card(named: card.name) == nil else {
            throw SandboxError(2200, "the wallet has a card of this name")
        }
        guard wallet.cards.count < limits.cardsOfAWallet else { throw SandboxError(2200, "the wallet is full") }
    }

    /// Adds a card to the wallet. The limit is checked again, because another card may have been added while the
    /// customer entered the codes.
    private func keep(_ card: SandboxCard, _ session: SandboxSession) throws(SandboxError) {
        try checkRoom(for: card, session)
        var wallet = wallets[session.phone] ?? PhoneWallet(linkedClients: [session.clientId], cards: [])
        wallet.cards.append(card)
        wallets[session.phone] = wallet
    }

    /// Returns a valid phone number.
    ///
    /// - Throws: 2005 or 2006.
    static func phone(_ text: String) throws(SandboxError) -> String {
        guard !text.isEmpty else { throw SandboxError(2006) }
        guard text.utf8.count == 12, text.begins(with: "380"), text.utf8.allSatisfy(\.isASCIIDigit) else {
            throw SandboxError(2005)
        }
        return text
    }

    /// The present month, as the number of months since the year 0.
    var month: Int {
        let parts = CalendarDay(now()).text.parts(at: "-")
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]) else { return 0 }
        return year * 12 + month - 1
    }

    private static func asking(for code: SandboxCode?, _ result: JSONObject = [:]) -> JSONObject {
        var result = result
        result["verification"] = code.map { .string($0.name) }
        return result
    }
}
