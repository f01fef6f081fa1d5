import AccessControl
package import HTTPTypes
package import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// A screen: its route, the action that it requires permission for, and its handler.
package struct Screen: Sendable {
    package typealias Respond = @Sendable (ScreenRequest) async throws -> ConsoleAnswer

    package let method: HTTPRequest.Method
    package let path: String
    package let action: OperatorAction
    package let respond: Respond

    package init(_ method: HTTPRequest.Method, _ path: String, _ action: OperatorAction, respond: @escaping Respond) {
        self.method = method
        self.path = path
        self.action = action
        self.respond = respond
    }
}

/// The request of a logged-in operator.
package struct ScreenRequest: Sendable {
    package let query: FormBody
    /// The fields of the form, if the method is POST. The form token was compared with the session's.
    package let form: FormBody
    /// The last segment of the path, if the path ends with a code.
    package let pathCode: String?
    let session: Session
    /// Whether the session is still open, for a response that takes longer than a page. The check does not count
    /// as use.
    let isSessionOpen: @Sendable () -> Bool
    /// Stores the zone of the operator's times in the session; `nil` means the browser's zone.
    let chooseZone: @Sendable (ClockZone?) -> Void
    package let operatorRequest: OperatorRequest

    var role: OperatorRole { session.entry.role }

    /// The zone of the operator's times, if one was chosen.
    var zone: ClockZone? { session.zone }

    /// Returns the reference of the payment in the address.
    ///
    /// - Throws: ``ConsoleError`` if there is none.
    package func reference() throws(ConsoleError) -> String {
        guard let reference = query["reference"] else {
            throw ConsoleError(
                status: .badRequest, title: "Which payment?", detail: "Enter its merchant_reference in the search box.")
        }
        // References are never longer and have no control characters, so the journal need not be searched.
        guard reference.utf8.count <= 255, reference.utf8.allSatisfy({ $0 >= 0x20 }) else {
            var shown = String.UnicodeScalarView()
            for scalar in reference.unicodeScalars.prefix(64) { shown.append(scalar.value < 0x20 ? " " : scalar) }
            throw .noPayment(String(shown))
        }
        return reference
    }
}

/// All screens, in the order of the menu.
struct Screens: Sendable {
    let relay: PaymentRelay
    let gateways: [GatewayPages]
    let sendsEvents: Bool
    let isDraining: @Sendable () -> Bool
    let health: @Sendable () async -> OperatorsHealth
    let configuration: [ConfigurationGroup]

    var all: [Screen] {
        AttentionScreen(relay: relay, sendsEvents: sendsEvents).screens
            + PaymentsScreen(relay: relay, gateways: gateways).screens
            + CustomerScreen(relay: relay).screens
            + LiveScreen(newest: NewestPayments(relay: relay), isDraining: isDraining).screens
            + [false, true].flatMap { ChangesScreen(relay: relay, isAudit: $0).screens }
            + SettlementScreen(relay: relay).screens
            + PaymentScreen(relay: relay, gateways: gateways, sendsEvents: sendsEvents).screens
            + NotesScreen(relay: relay).screens
            + OperationKind.all.flatMap { OperationScreen(kind: $0, relay: relay).screens }
            + ResolveScreen(relay: relay).screens
            + gateways.flatMap(\.screens)
            + ZoneScreen().screens
            + TokenScreen(relay: relay).screens
            + [Screen(.get, "/console/health", .look, respond: HealthScreen(health: health).show)]
            + [ConfigurationScreen(groups: configuration).screen]
    }

    /// The menu of every page.
    var menu: [(title: String, path: String)] {
        [
            ("Needs attention", "/console"), ("Payments", "/console/payments"), ("Live", "/console/live"),
            ("Changes", "/console/changes"), ("Audit", "/console/audit"), ("Settlement", "/console/settlement"),
        ] + gateways.flatMap(\.menu) + [
            ("Tokens", "/console/tokens"), ("Health", "/console/health"), ("Configuration", "/console/configuration"),
        ]
    }
}
