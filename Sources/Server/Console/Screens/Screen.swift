import AccessControl
import FortAPI
import HTTPTypes
import PaymentRelay
import RelayServer

/// A screen: who may see it or send its form, and what answers.
struct Screen: Sendable {
    typealias Respond = @Sendable (ScreenRequest) async throws -> ConsoleAnswer

    let method: HTTPRequest.Method
    let path: String
    let action: OperatorAction
    let respond: Respond

    init(_ method: HTTPRequest.Method, _ path: String, _ action: OperatorAction, respond: @escaping Respond) {
        self.method = method
        self.path = path
        self.action = action
        self.respond = respond
    }
}

/// What a logged-in operator sent.
struct ScreenRequest: Sendable {
    let query: FormBody
    /// Of the session, where the method is POST.
    let form: FormBody
    /// Of the path, where it ends in a code.
    let pathCode: String?
    let session: Session
    /// Whether the session goes on, for an answer that takes longer than a page. To ask counts as no use of it.
    let isSessionOpen: @Sendable () -> Bool
    let operatorRequest: OperatorRequest

    var role: OperatorRole { session.entry.role }

    /// The payment that the address is about.
    ///
    /// - Throws: ``ConsoleError`` where it names none.
    func reference() throws(ConsoleError) -> String {
        guard let reference = query["reference"] else {
            throw ConsoleError(
                status: .badRequest, title: "Which payment?", detail: "Enter its merchant_reference in the search box.")
        }
        // No reference is longer or has a control character, and no journal is asked for one.
        guard reference.utf8.count <= 255, reference.utf8.allSatisfy({ $0 >= 0x20 }) else {
            var shown = String.UnicodeScalarView()
            for scalar in reference.unicodeScalars.prefix(64) { shown.append(scalar.value < 0x20 ? " " : scalar) }
            throw .noPayment(String(shown))
        }
        return reference
    }
}

/// The screens, in the order of the menu.
struct Screens: Sendable {
    let relay: PaymentRelay
    let accounts: FortAccounts
    let sendsEvents: Bool
    let health: @Sendable () async -> OperatorsHealth
    let configuration: [ConfigurationGroup]
    /// Nil outside of `payrelay dev`.
    let sandbox: SandboxDesk?

    var all: [Screen] {
        AttentionScreen(relay: relay, sendsEvents: sendsEvents).screens
            + PaymentsScreen(relay: relay).screens
            + LiveScreen(newest: NewestPayments(relay: relay)).screens
            + SettlementScreen(relay: relay).screens
            + PaymentScreen(relay: relay, sendsEvents: sendsEvents).screens
            + OperationKind.all.flatMap { OperationScreen(kind: $0, relay: relay).screens }
            + CodeScreen().screens
            + TokenScreen(relay: relay).screens
            + SignatureScreen(accounts: accounts).screens
            + [Screen(.get, "/console/health", .look, respond: HealthScreen(health: health).show)]
            + [ConfigurationScreen(groups: configuration).screen]
            + (sandbox.map { SandboxScreen(desk: $0).screens } ?? [])
    }

    /// Of every page.
    var menu: [(title: String, path: String)] { Menu.entries + (sandbox == nil ? [] : [SandboxScreen.menuEntry]) }
}

/// The menu of every page.
enum Menu {
    static let entries: [(title: String, path: String)] = [
        ("Needs attention", "/console"), ("Payments", "/console/payments"),
        ("Live", "/console/live"), ("Settlement", "/console/settlement"),
        ("FORT codes", "/console/codes"),
        ("Tokens", "/console/tokens"),
        ("Signatures", "/console/signatures"), ("Health", "/console/health"),
        ("Configuration", "/console/configuration"),
    ]
}
