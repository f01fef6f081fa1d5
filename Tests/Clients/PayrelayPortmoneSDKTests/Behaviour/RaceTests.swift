import PayrelayPrimitives
import Testing

@testable import PayrelayPortmoneSDK

@Suite(.timeLimit(.minutes(25))) @MainActor struct RaceTests {
    @Test("If two authorizations run at once, the later one counts, whichever is answered first")
    func twoAuthorizations() async throws {
        for isFirstAnsweredFirst in [true, false] {
            let wallet = HeldWallet()
            let app = App(wallet)
            async let first = app.authorize("380000000001")
            await wallet.arrival()
            async let second = app.authorize("380000000002")
            await wallet.arrival()
            for phone in isFirstAnsweredFirst ? ["380000000001", "380000000002"] : ["380000000002", "380000000001"] {
                await wallet.release(phone)
            }
            #expect(await first == 2000)
            #expect(await second == nil)
            // The wallet names its card after the phone number, so the name shows whose session is in use.
            #expect(try await app.cards().map(\.name) == ["380000000002"])
        }
    }

    @Test("An initialization that comes later undoes an authorization that is under way")
    func initializationMeanwhile() async throws {
        let wallet = HeldWallet()
        let app = App(wallet)
        async let code = app.authorize("380000000001")
        await wallet.arrival()
        app.state.initialize(merchantKey: "other", clientId: "other", wallet: wallet)
        await wallet.release("380000000001")
        #expect(await code == 2000)
        await #expect(throws: PortmoneError.self) { _ = try await app.cards() }
    }

    @Test("No completion is called before its call has returned")
    func neverAtOnce() async {
        let app = App(HeldWallet())
        var isCalled = false
        await withCheckedContinuation { continuation in
            AuthorizationService(app.state).authorize(phone: "", userId: "") { _, _ in
                MainActor.assertIsolated()
                isCalled = true
                continuation.resume()
            }
            #expect(!isCalled)
        }
        #expect(isCalled)
    }

    @Test("A call is made for the user who is authorized when it is called")
    func userOfTheCall() async throws {
        let wallet = HeldWallet()
        let app = App(wallet)
        async let first = app.authorize("380000000001")
        await wallet.release("380000000001")
        #expect(await first == nil)
        var names: [String]?
        CardsService(app.state).getMasterpassCards { cards, _ in names = cards?.map(\.name) }
        async let second = app.authorize("380000000002")
        await wallet.release("380000000002")
        #expect(await second == nil)
        while names == nil { await Task.yield() }
        #expect(names == ["380000000001"])
    }
}

/// A wallet in memory that answers an authorization when the test says so.
private actor HeldWallet: PartialWallet {
    private var held: [String: CheckedContinuation<Void, Never>] = [:]
    private var released: Set<String> = []
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    func release(_ phone: String) {
        released.insert(phone)
        held.removeValue(forKey: phone)?.resume()
    }

    func authorize(_ user: WalletUser) async throws(PortmoneError) -> WalletAuthorization {
        arrivals.continuation.yield()
        if !released.contains(user.phone) { await withCheckedContinuation { held[user.phone] = $0 } }
        return WalletAuthorization(session: WalletSession(token: user.phone))
    }

    func cards(in session: WalletSession) async throws(PortmoneError) -> [MasterpassCard] {
        [MasterpassCard(cardBin: "444433********11", name: session.token.exposed)]
    }
}
