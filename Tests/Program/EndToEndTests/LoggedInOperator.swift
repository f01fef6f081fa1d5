import OutboundHTTP
import TestPrograms

/// An operator's key, as `payrelay operators add` makes it.
struct AddedOperator {
    let key: String
    /// The operator's line for the configuration.
    let line: String

    init(_ name: String, role: String) async throws {
        let (status, text) = try await RunningProgram.run(["operators", "add", name, "--role", role])
        let lines = text.split(separator: "\n").map(String.init)
        guard status == 0, let key = lines.first(where: { $0.hasPrefix("payrelay_op_") }),
            let line = lines.first(where: { $0 != key })
        else { throw RunningProgram.LaunchError(description: text) }
        (self.key, self.line) = (key, line)
    }
}

/// A browser in which an operator has logged in to the console.
struct LoggedInOperator {
    let relay: RunningRelay
    let cookie: String

    init(_ added: AddedOperator, at relay: RunningRelay) async throws {
        let answer = try await relay.submit("/console/login", [("key", added.key)])
        guard answer.status == 303, let cookie = answer.header("Set-Cookie") else {
            throw RunningProgram.LaunchError(description: "login: \(answer.status)")
        }
        self.relay = relay
        self.cookie = String(cookie.prefix { $0 != ";" })
    }

    func get(_ path: String) async throws -> OutboundAnswer {
        try await relay.admin(path, headers: [("Cookie", cookie)])
    }

    /// Submits a form with the session's form token.
    func submit(_ path: String, _ form: [(name: String, value: String)]) async throws -> OutboundAnswer {
        let page = String(decoding: try await get("/console").body, as: UTF8.self)
        let token = page.firstMatch(of: /name="form_token" value="([^"]*)"/).map { String($0.output.1) } ?? ""
        return try await relay.submit(path, form + [("form_token", token)], headers: [("Cookie", cookie)])
    }

    /// Returns every page that can be reached by a link or a form, by its address. Of the pages about FORT's codes it returns
    /// only a few.
    func everyPage() async throws -> [String: String] {
        var (waiting, pages) = (["/console"], [String: String]())
        while let path = waiting.popLast(), pages.count < 500 {
            guard pages[path] == nil else { continue }
            let answer = try await get(path)
            let text = String(decoding: answer.body, as: UTF8.self)
            pages[path] = text
            if answer.status == 303, let next = answer.header("Location") { waiting.append(next) }
            guard answer.header("Content-Type")?.hasPrefix("text/html") == true else { continue }
            let codes = pages.keys.count { $0.hasPrefix("/console/codes/") }
            waiting += text.matches(of: /(?:href|action)="(\/console[^"]*)"/).map { match in
                String(match.output.1).replacing("&amp;", with: "&").replacing("&#61;", with: "=")
            }.filter { $0 != "/console/logout" && (codes < 4 || !$0.hasPrefix("/console/codes/")) }
        }
        return pages
    }
}
