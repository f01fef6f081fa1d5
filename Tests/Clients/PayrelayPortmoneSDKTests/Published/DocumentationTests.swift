import Foundation
import MasterpassSandbox
import TestPrograms
import Testing

@testable import PayrelayPortmoneSDK

/// The page docs/portmone-sdk.md, and the samples of Portmone's page, run against the sandbox. They share the SDK's one state.
@Suite(.serialized, .timeLimit(.minutes(25))) @MainActor struct DocumentationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func page() throws -> String {
        try String(contentsOf: Project.url("docs/portmone-sdk.md"), encoding: .utf8)
    }

    /// Initializes the SDK as the initializer of ``PortmoneSDK`` does, but at the test's port.
    private func initialize(_ app: App) throws {
        let wallet = try SandboxWallet(url: try #require(URL(string: app.base)))
        PortmoneSDK(merchantKey: "merchant-key", clientId: "client-id", wallet: wallet)
    }

    @Test("The page's first lines say that this is the client of a simulator")
    func firstLine() throws {
        let lines = try Self.page().components(separatedBy: "\n")
        #expect(lines[2].hasPrefix("**This is the client of a simulator.**"))
        let type = try LibrarySource.text(of: "PortmoneSDK")
        #expect(type.contains("is the client of a simulator"))
    }

    @Test("The page's examples are parts of the one that is compiled and run here")
    func theExample() throws {
        let compiled = try String(
            contentsOf: Self.folder.appending(path: "DocumentedPayment.swift"), encoding: .utf8)
        let examples = try Self.page().components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(examples.count == 2)
        for example in examples { #expect(compiled.contains("\n" + example)) }
    }

    @Test("The page's example pays")
    func theExamplePays() async throws {
        try await RunningSandbox.with { app async throws in
            try initialize(app)
            let (shown, continuation) = AsyncStream.makeStream(of: String.self)
            let payment = Payment { continuation.yield($0) }
            payment.start()
            for await text in shown {
                #expect(text.hasPrefix("Paid 100.0 and 1.0: \(app.base)/masterpass/receipts/"))
                return
            }
        }
    }

    @Test("The samples of Portmone's page run: a card is added with its codes, listed and deleted")
    func theSamples() async throws {
        try await RunningSandbox.with { app async throws in
            try initialize(app)
            let (told, continuation) = AsyncStream.makeStream(of: String.self)
            var events = told.makeAsyncIterator()
            @MainActor func listen(_ controller: BaseViewController) {
                controller.onAlert = { continuation.yield("\($0): \($1 ?? "")") }
                controller.onSegue = { continuation.yield($0) }
            }
            let authorization = AuthorizationViewController()
            listen(authorization)
            authorization.authorize()
            #expect(await events.next(isolation: MainActor.shared) == "Success: Authorization success.")
            #expect(await events.next(isolation: MainActor.shared) == "Functionality")

            let (name, month, year) = (TextField(), TextField(), TextField())
            let (number, cvv, code) = (MfsTextField(), MfsTextField(), MfsTextField())
            let adding = AddCardViewController(
                cardName: name, cardNumber: number, expireMonth: month, expireYear: year, cvv: cvv)
            listen(adding)
            adding.viewDidLoad()
            name.text = "SomeCardName"
            number.text = TestCard.bothCodes
            month.text = "03"
            year.text = "40"
            cvv.text = "123"
            adding.addCardButtonClicked()
            #expect(await events.next(isolation: MainActor.shared) == "ConfirmPhone")
            let confirming = ConfirmCodeViewController(confirmCode: code)
            listen(confirming)
            confirming.viewDidLoad()
            code.text = SandboxCode.phone.rawValue
            confirming.confirm()
            let second = "Error 2113: OTP sending card's Bank is required."
            #expect(await events.next(isolation: MainActor.shared) == second)
            code.text = SandboxCode.card.rawValue
            confirming.confirm()
            #expect(await events.next(isolation: MainActor.shared) == "Success: ")

            let cards = CardsViewController()
            listen(cards)
            #expect(cards.sampleCard().expireYear == "20")
            cards.load()
            #expect(await events.next(isolation: MainActor.shared) == "cards")
            #expect(cards.cards?.map(\.name) == ["SomeCardName"])
            cards.loadPayees()
            #expect(await events.next(isolation: MainActor.shared) == "payees")
            cards.delete()
            #expect(await events.next(isolation: MainActor.shared) == "Success: SomeCardName card deleted.")
            cards.delete()
            let gone = "Error 2200: Masterpass service server error. (the wallet has no card of this name)"
            #expect(await events.next(isolation: MainActor.shared) == gone)
        }
    }

    @Test("The page's codes and cards have the effects that the page describes")
    func theTables() async throws {
        let page = try Self.page()
        for code in [SandboxCode.phone, .card, .payment] { #expect(page.contains("`\(code.rawValue)`")) }
        let cards = page.matches(of: /\| `(4444\d{12})` \| ([^|]+) \| ([^|]+) \|/)
        #expect(cards.count == 6)
        try await RunningSandbox.with { app async throws in
            for (place, card) in cards.enumerated() {
                #expect(await app.authorize("38000000000\(place)") == nil)
                var code = await app.add("A", String(card.1))
                var codes: [String] = []
                while let asked = code, [2113, 2114].contains(asked) {
                    codes.append("\(asked)")
                    code = await app.validate((asked == 2113 ? SandboxCode.card : .phone).rawValue)
                }
                #expect(codes.isEmpty ? card.2 == "at once" : card.2 == "after \(codes.joined(separator: ", then "))")
                let log = PaymentLog<PayeePaymentTransaction>()
                log.service(app.state).proceedPayment(
                    paymentParams: PaymentParams(contractNumber: "1"), transaction: try await app.transaction(log))
                switch try await log.next() {
                case .finished: #expect(card.3 == "at once")
                case .waitingFor2d: #expect(card.3 == "2D")
                case .waitingFor3d: #expect(card.3 == "3D")
                case let other: Issue.record("\(other)")
                }
            }
        }
        #expect(SandboxWallet.defaultURL == "http://127.0.0.1:\(MasterpassSandboxService.defaultPort)")
        #expect(page.contains("`127.0.0.1:\(MasterpassSandboxService.defaultPort)`"))
    }

    @Test("Every public declaration of the library has a doc comment")
    func everyDeclarationIsDocumented() throws {
        let sources = Project.url("Sources/Clients/PayrelayPortmoneSDK")
        let exempt = ["public import", "public var description:"]
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
            let lines = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
                .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            for (place, line) in lines.enumerated()
            where line.contains(#/^(nonisolated )?public /#) && !exempt.contains(where: { line.contains($0) }) {
                count += 1
                let before = lines[..<place].last { !$0.hasPrefix("@") && !$0.hasPrefix("#") }
                #expect(before?.hasPrefix("///") == true, "\(path): \(line)")
            }
        }
        #expect(count > 100)
    }
}
