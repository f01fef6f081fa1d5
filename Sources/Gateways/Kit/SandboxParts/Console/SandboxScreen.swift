import AccessControl
public import Console
import HTTPTypes
import PaymentRelay
public import PayrelayPrimitives

/// Gives the console of `payrelay-dev` access to the sandboxes in its process. `payrelay serve` has no sandboxes.
public struct SandboxDesk: Sendable {
    /// The URL of the checkout page, for a link; `nil` if its port is not known in advance.
    let checkoutURL: String?
    let sandboxes: [any SandboxOnDesk]
    let exchanges: @Sendable (_ limit: Int) -> [JSONObject]

    /// - Parameter exchanges: returns the newest exchanges between a client and the relay, and between the relay
    ///   and a sandbox, the newest first.
    public init(
        checkoutURL: String?, sandboxes: [any SandboxOnDesk],
        exchanges: @escaping @Sendable (_ limit: Int) -> [JSONObject]
    ) {
        self.checkoutURL = checkoutURL
        self.sandboxes = sandboxes
        self.exchanges = exchanges
    }

    /// The screens, menu entry and templates that the sandboxes add to the console.
    public var pages: GatewayPages {
        GatewayPages(
            gateway: "sandbox", screens: SandboxScreen(desk: self).screens, menu: [("Sandbox", SandboxScreen.path)],
            templates: [("sandbox", PackageResources.sandbox_mustache)])
    }
}

/// The page `/console/sandbox`: the books of each sandbox, buttons for faults, the settings of messages, and the
/// exchanges on the wire.
struct SandboxScreen: Sendable {
    static let path = "/console/sandbox"
    private static let shownOrders = 50
    private static let shownExchanges = 20

    let desk: SandboxDesk

    var screens: [Screen] {
        [Screen(.get, Self.path, .look) { _ in .page(await page()) }]
            + desk.sandboxes.flatMap { sandbox in
                [
                    Screen(.post, Self.path(of: sandbox, "faults"), .simulateGateway) {
                        await injectFault($0, into: sandbox)
                    },
                    Screen(.post, Self.path(of: sandbox, "messages"), .simulateGateway) {
                        await chooseAddresses($0, of: sandbox)
                    },
                ]
            }
    }

    private static func path<Sandbox: SandboxOnDesk>(of sandbox: Sandbox, _ settings: String) -> String {
        "\(path)/\(Sandbox.name)/\(settings)"
    }

    /// Injects one fault, for every request or a number of requests. An empty fault ends the injection.
    private func injectFault<Sandbox: SandboxOnDesk>(
        _ request: ScreenRequest, into sandbox: Sandbox
    ) async -> ConsoleAnswer {
        guard let fault = request.form["fault"], !fault.isEmpty else {
            sandbox.faults = SeededFaultSchedule([])
            return done("\(Sandbox.title): no fault is injected any more.")
        }
        var rule: JSONObject = ["fault": .string(fault)]
        if let command = request.form["command"], !command.isEmpty {
            rule[Sandbox.Command.settingName] = .string(command)
        }
        // A text that is not a number is passed on unchanged, so that the error names the field.
        if let count = request.form["count"], !count.isEmpty {
            rule["count"] = Int(count).map { JSON($0) } ?? .string(count)
        }
        if Sandbox.Fault(rawValue: fault)?.isLate == true { rule["seconds"] = 2 }
        do throws(ValidationErrors) {
            sandbox.faults = try SeededFaultSchedule(json: ["faults": .array([.object(rule)])])
        } catch {
            return await refused(error)
        }
        return done("\(Sandbox.title): the fault is injected.")
    }

    private func chooseAddresses<Sandbox: SandboxOnDesk>(
        _ request: ScreenRequest, of sandbox: Sandbox
    ) async -> ConsoleAnswer {
        var addresses: JSONObject = [:]
        for (name, _) in Sandbox.messageAddresses {
            if let url = request.form[name], !url.isEmpty { addresses[name] = .string(url) }
        }
        do throws(ValidationErrors) {
            try sandbox.sendMessages(to: addresses)
        } catch {
            return await refused(error)
        }
        return done("\(Sandbox.title): messages go there from now on.")
    }

    private func done(_ text: String) -> ConsoleAnswer {
        .redirect(to: Self.path, notice: Notice(text: text, tone: "good"))
    }

    private func refused(_ errors: ValidationErrors) async -> ConsoleAnswer {
        var page = await page(error: errors.errors.map { "\($0.field) \($0.detail)" }.joined(separator: "; "))
        page.status = .badRequest
        return .page(page)
    }

    private func page(error: String? = nil) async -> Page {
        var sandboxes: [View] = []
        for sandbox in desk.sandboxes { sandboxes.append(await view(sandbox: sandbox)) }
        let exchanges = desk.exchanges(Self.shownExchanges)
        return Page(
            template: "sandbox", title: "Sandbox", menu: "Sandbox",
            view: [
                "error": View(error), "checkoutURL": View(desk.checkoutURL), "sandboxes": .list(sandboxes),
                "hasExchanges": .flag(!exchanges.isEmpty), "exchanges": View(exchanges.map(view(exchange:))),
            ])
    }

    private func view<Sandbox: SandboxOnDesk>(sandbox: Sandbox) async -> View {
        let orders = await sandbox.newestOrders(limit: Self.shownOrders)
        let faults = sandbox.faults
        let messages = sandbox.messages
        return [
            "name": .text(Sandbox.name), "title": .text(Sandbox.title),
            "commandLabel": .text(Sandbox.Command.settingName),
            "faultNames": View(Sandbox.Fault.allCases.map { ["name": .text($0.rawValue)] }),
            "commands": View(Sandbox.Command.allCases.map { ["name": .text($0.rawValue)] }),
            "hasFaults": .flag(!faults.rules.isEmpty),
            "faults": View(
                zip(faults.rules, faults.struck).map { rule, struck in
                    [
                        "name": .text(rule.fault.rawValue), "command": .text(rule.command?.rawValue ?? "every request"),
                        "count": View(rule.count.map(String.init)), "struck": "\(struck)",
                    ]
                }),
            "addresses": View(
                Sandbox.messageAddresses.map { name, label in
                    ["name": .text(name), "label": .text(label), "url": View(messages[name]?.stringValue)]
                }),
            "delivered": View(messages["delivered"].map(text)), "givenUp": View(messages["given_up"].map(text)),
            "hasOrders": .flag(!orders.isEmpty), "orders": View(orders.map(view(order:))),
        ]
    }

    private func view(order: OrderOnDesk) -> View {
        [
            "reference": .text(order.merchantReference), "path": .text(Links.payment(order.merchantReference)),
            "kind": .text(order.kind), "amount": "\(order.amount) \(order.currency)",
            "gatewayReference": .text(order.gatewayReference), "outcome": .text(order.outcome),
        ]
    }

    private func parties(of exchange: JSONObject) -> String {
        let gateway = desk.sandboxes.first { exchange["with"] == .string(type(of: $0).name) }
        return gateway.map { "relay and \(type(of: $0).title)" } ?? "client and relay"
    }

    private func view(exchange: JSONObject) -> View {
        [
            "between": .text(parties(of: exchange)),
            "method": View(exchange["method"]?.stringValue), "status": View(exchange["status"].map(text)),
            "request": View(exchange["request"]?.stringValue), "signedText": View(exchange["signed_text"]?.stringValue),
            "response": View(exchange["response"]?.stringValue), "remark": View(exchange["remark"]?.stringValue),
        ]
    }

    private func text(_ json: JSON) -> String { String(decoding: json.encoded(), as: UTF8.self) }
}
