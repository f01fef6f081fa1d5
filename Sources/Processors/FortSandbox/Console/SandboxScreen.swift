import AccessControl
public import Console
import HTTPTypes
import PaymentRelay
public import PayrelayPrimitives

/// Access of `payrelay dev`'s console to the FORT sandbox in its process. `payrelay serve` has none.
public struct SandboxDesk: Sendable {
    /// Where the checkout page is, for a link; nil where its port is not known beforehand.
    let checkoutURL: String?
    /// Names of the faults, and of the commands that they can apply to, as in `PUT /_sandbox/faults`.
    let faultNames: [String]
    let commands: [String]
    let orders: @Sendable (_ limit: Int) async -> [JSON]
    let faults: @Sendable () -> JSON
    let setFaults: @Sendable (JSON) throws(ValidationErrors) -> Void
    let feedback: @Sendable () -> JSON
    let setFeedback: @Sendable (JSON) throws(ValidationErrors) -> Void
    let exchanges: @Sendable (_ limit: Int) -> [JSONObject]

    /// - Parameters:
    ///   - orders: the newest, the newest first, as `GET /_sandbox/orders` has them.
    ///   - faults: as `GET /_sandbox/faults` has them; set as `PUT` takes them.
    ///   - feedback: as `GET /_sandbox/feedback` has it; set as `PUT` takes it.
    ///   - exchanges: the newest between a client and the relay, and between the relay and the sandbox, the newest first.
    public init(
        checkoutURL: String?, faultNames: [String], commands: [String],
        orders: @escaping @Sendable (_ limit: Int) async -> [JSON],
        faults: @escaping @Sendable () -> JSON,
        setFaults: @escaping @Sendable (JSON) throws(ValidationErrors) -> Void,
        feedback: @escaping @Sendable () -> JSON,
        setFeedback: @escaping @Sendable (JSON) throws(ValidationErrors) -> Void,
        exchanges: @escaping @Sendable (_ limit: Int) -> [JSONObject]
    ) {
        self.checkoutURL = checkoutURL
        self.faultNames = faultNames
        self.commands = commands
        self.orders = orders
        self.faults = faults
        self.setFaults = setFaults
        self.feedback = feedback
        self.setFeedback = setFeedback
        self.exchanges = exchanges
    }

    /// Screens, menu entry and templates that the sandbox adds to the console.
    public var pages: ProcessorPages {
        ProcessorPages(
            processor: "sandbox", screens: SandboxScreen(desk: self).screens, menu: [("Sandbox", SandboxScreen.path)],
            templates: [("sandbox", PackageResources.sandbox_mustache)])
    }
}

/// `/console/sandbox`: the sandbox's books, faults at a click, feedback, and what was said on the wire.
struct SandboxScreen: Sendable {
    static let path = "/console/sandbox"
    private static let shownOrders = 50
    private static let shownExchanges = 20

    let desk: SandboxDesk

    var screens: [Screen] {
        [
            Screen(.get, Self.path, .look) { _ in .page(await page()) },
            Screen(.post, Self.path + "/faults", .simulateProcessor, respond: injectFault),
            Screen(.post, Self.path + "/feedback", .simulateProcessor, respond: sendFeedback),
        ]
    }

    /// One fault at a time, for every request or so many; none ends what was injected.
    @Sendable private func injectFault(_ request: ScreenRequest) async -> ConsoleAnswer {
        guard let fault = request.form["fault"], !fault.isEmpty else {
            return await change("No fault is injected any more.") { () throws(ValidationErrors) in
                try desk.setFaults(["faults": []])
            }
        }
        var rule: JSONObject = ["fault": .string(fault)]
        if let command = request.form["command"], !command.isEmpty { rule["command"] = .string(command) }
        // What is no number is sent as it was written, and refused by its name.
        if let count = request.form["count"], !count.isEmpty {
            rule["count"] = Int(count).map { JSON($0) } ?? .string(count)
        }
        if fault == "slow" { rule["seconds"] = 2 }
        let rules: JSON = ["faults": .array([.object(rule)])]
        return await change("The fault is injected.") { () throws(ValidationErrors) in try desk.setFaults(rules) }
    }

    @Sendable private func sendFeedback(_ request: ScreenRequest) async -> ConsoleAnswer {
        var settings: JSONObject = [:]
        for name in ["direct_url", "notification_url"] {
            if let url = request.form[name], !url.isEmpty { settings[name] = .string(url) }
        }
        let chosen = JSON.object(settings)
        return await change("Feedback goes there from now on.") { () throws(ValidationErrors) in
            try desk.setFeedback(chosen)
        }
    }

    private func change(
        _ notice: String, _ apply: () throws(ValidationErrors) -> Void
    ) async -> ConsoleAnswer {
        do throws(ValidationErrors) {
            try apply()
        } catch {
            var page = await page(error: error.errors.map { "\($0.field) \($0.detail)" }.joined(separator: "; "))
            page.status = .badRequest
            return .page(page)
        }
        return .redirect(to: Self.path, notice: Notice(text: notice, tone: "good"))
    }

    private func page(error: String? = nil) async -> Page {
        let orders = await desk.orders(Self.shownOrders)
        let rules = desk.faults().objectValue?["faults"]?.arrayValue ?? []
        let feedback = desk.feedback().objectValue ?? [:]
        let exchanges = desk.exchanges(Self.shownExchanges)
        return Page(
            template: "sandbox", title: "Sandbox", menu: "Sandbox",
            view: [
                "error": View(error), "checkoutURL": View(desk.checkoutURL), "hasOrders": .flag(!orders.isEmpty),
                "orders": View(orders.compactMap(\.objectValue).map(view(order:))),
                "faultNames": View(desk.faultNames.map { ["name": .text($0)] }),
                "commands": View(desk.commands.map { ["name": .text($0)] }),
                "hasFaults": .flag(!rules.isEmpty), "faults": View(rules.compactMap(\.objectValue).map(view(fault:))),
                "directURL": View(feedback["direct_url"]?.stringValue),
                "notificationURL": View(feedback["notification_url"]?.stringValue),
                "delivered": View(feedback["delivered"].map(text)), "givenUp": View(feedback["given_up"].map(text)),
                "hasExchanges": .flag(!exchanges.isEmpty), "exchanges": View(exchanges.map(view(exchange:))),
            ])
    }

    private func view(order: JSONObject) -> View {
        let reference = order["merchant_reference"]?.stringValue ?? ""
        var words = [order["charged"] == .bool(true) ? "charged" : "not charged"]
        if order["voided"] == .bool(true) { words.append("voided") }
        for (name, word) in [("captured_amount", "captured"), ("refunded_amount", "refunded")] {
            if let amount = order[name].map(text), amount != "0" { words.append("\(amount) \(word)") }
        }
        return [
            "reference": .text(reference), "path": .text(Links.payment(reference)),
            "command": View(order["command"]?.stringValue), "amount": View(order["amount"].map(text)),
            "currency": View(order["currency"]?.stringValue), "fortID": View(order["fort_id"]?.stringValue),
            "became": .text(words.joined(separator: ", ")),
        ]
    }

    private func view(fault: JSONObject) -> View {
        [
            "name": View(fault["fault"]?.stringValue),
            "command": View(fault["command"]?.stringValue ?? "every command"),
            "count": View(fault["count"].map(text)), "struck": View(fault["struck"].map(text)),
        ]
    }

    private func view(exchange: JSONObject) -> View {
        [
            "between": exchange["with"] == "fort" ? "relay and FORT" : "client and relay",
            "method": View(exchange["method"]?.stringValue), "status": View(exchange["status"].map(text)),
            "request": View(exchange["request"]?.stringValue), "signedText": View(exchange["signed_text"]?.stringValue),
            "response": View(exchange["response"]?.stringValue), "remark": View(exchange["remark"]?.stringValue),
        ]
    }

    private func text(_ json: JSON) -> String { String(decoding: json.encoded(), as: UTF8.self) }
}
