public import AccessControl
import FoundationEssentials
import PayrelayPrimitives
public import HTTPListener
public import HTTPTypes
public import Logging
public import PaymentRelay
public import RelayServer

/// The pages of operators, at `/console` on the admin listener.
///
/// Rendered here; without JavaScript a page lacks nothing but the reader's own time zone. A browser holds no key, only the number of a
/// session. What changes something is a form of that session, sent by a page of this listener.
public struct Console: Sendable {
    let relay: PaymentRelay
    let operators: ReloadableValue<Operators>
    let tokens: OperatorTokens?
    let sessions: Sessions
    let cookie: SessionCookie
    /// How often logins from a network may fail: ten times at once, and then once a second.
    ///
    /// A key has 32 random bytes and is not guessed, however fast. The limit keeps somebody who tries from filling the log. It does not keep
    /// out an operator who has a key: behind a proxy all operators have one address.
    private let failedLogins: RateLimit<PeerNetwork>
    private let refusedTokens: RateLimit<PeerNetwork>
    let templates: Templates
    let screens: Screens
    let accountStates: @Sendable () -> [AccountAvailability]
    let logger: Logger

    /// - Parameters:
    ///   - operators: who may log in.
    ///   - tokens: how a proxy tells whom it has signed in; nil where none does.
    ///   - gateways: what the gateways' modules add.
    ///   - isTLS: whether the listener speaks TLS.
    ///   - sendsEvents: whether the merchant's backend is sent events.
    ///   - isDraining: whether the relay stops; a page that goes on ends then.
    ///   - accountStates: how each account is answered; every page says it where it is bad.
    ///   - health: how things stand.
    ///   - configuration: the settings as they may be shown.
    /// - Throws: where a template cannot be read, which a test would have found.
    public init(
        relay: PaymentRelay, operators: ReloadableValue<Operators>, tokens: OperatorTokens? = nil,
        gateways: [GatewayPages], isTLS: Bool, sendsEvents: Bool,
        isDraining: @escaping @Sendable () -> Bool,
        accountStates: @escaping @Sendable () -> [AccountAvailability],
        health: @escaping @Sendable () async -> OperatorsHealth, configuration: [ConfigurationGroup],
        logger: Logger
    ) throws {
        try self.init(
            relay: relay, operators: operators, tokens: tokens, gateways: gateways, isTLS: isTLS,
            sendsEvents: sendsEvents, isDraining: isDraining, accountStates: accountStates, health: health,
            configuration: configuration, now: { .now }, logger: logger)
    }

    /// - Parameter now: the clock of the sessions and of the limits on logins.
    init(
        relay: PaymentRelay, operators: ReloadableValue<Operators>, tokens: OperatorTokens? = nil,
        gateways: [GatewayPages], isTLS: Bool, sendsEvents: Bool,
        isDraining: @escaping @Sendable () -> Bool,
        accountStates: @escaping @Sendable () -> [AccountAvailability],
        health: @escaping @Sendable () async -> OperatorsHealth, configuration: [ConfigurationGroup],
        now: @escaping @Sendable () -> ContinuousClock.Instant, logger: Logger
    ) throws {
        self.relay = relay
        self.operators = operators
        self.tokens = tokens
        sessions = Sessions(operators, now: now)
        failedLogins = RateLimit(perSecond: 1, now: now)
        refusedTokens = RateLimit(perSecond: 1, now: now)
        cookie = SessionCookie("__Host-payrelay", plainName: "payrelay_console", isTLS: isTLS)
        templates = try Templates(gateways.flatMap(\.templates))
        screens = Screens(
            relay: relay, gateways: gateways, sendsEvents: sendsEvents, isDraining: isDraining, health: health,
            configuration: configuration)
        self.accountStates = accountStates
        self.logger = logger
    }

    /// The pages, for the admin listener.
    public var routes: [Route] {
        ConsoleAsset.all.map(\.route) + [
            Route(.get, "/console/login", access: .ownPage, respond: loginPage),
            Route(.post, "/console/login", access: .ownPage, bodyLimit: FormBody.sizeLimit, respond: logIn),
            Route(.post, "/console/logout", access: .ownPage, bodyLimit: FormBody.sizeLimit, respond: logOut),
        ]
            + (screens.all + Self.noScreens).map { screen in
                Route(
                    screen.method, screen.path, access: .console(screen.action),
                    bodyLimit: screen.method == .post ? FormBody.sizeLimit : nil
                ) { await respond(to: $0, with: screen) }
            }
    }

    /// Other paths: only who is logged in is told that there is no such page.
    private static let noScreens = [HTTPRequest.Method.get, .post].map { method in
        Screen(method, "/console/**", .look) { _ in throw ConsoleError.notFound }
    }

    /// A screen of an operator who is logged in.
    private func respond(to request: RelayRequest, with screen: Screen) async -> Answer {
        let signedIn = await signedIn(by: request)
        var value = cookie.value(in: request.head.headerFields)
        var session = value.flatMap { sessions.session($0, with: signedIn) }
        var begun: String?
        // A form is of a session that was there before; and what another site links to is not shown with its context.
        if session == nil, let signedIn, request.head.method != .post, !request.isFromAnotherSite {
            begun = sessions.begin(for: signedIn.entry, until: signedIn.tokenEndsAt, endingThatOf: value)
            value = begun
            session = begun.flatMap { sessions.session($0, with: signedIn) }
        }
        guard let value, let session else { return answer(toStranger: request) }
        var answer = await respond(to: request, with: screen, in: session, of: value)
        if let begun { answer.head.headerFields[.setCookie] = cookie.setting(begun) }
        return answer
    }

    private func respond(
        to request: RelayRequest, with screen: Screen, in session: Session, of value: String
    ) async -> Answer {
        let back = (try? FormBody(queryOf: request)).flatMap { Links.page(about: $0) }
        let answer = await answerOrError(request, back: back) { () async throws in
            let query = try FormBody(queryOf: request)
            let form = request.head.method == .post ? try FormBody(of: request) : .empty
            // The CSRF token. The listener has already refused what a browser marks as cross-site.
            guard request.head.method != .post || session.isOwnForm(form) else { throw ConsoleError.forgedForm }
            guard session.entry.role.may(screen.action) else {
                throw ConsoleError.notPermitted(session.entry.role, screen.action)
            }
            return try await screen.respond(
                ScreenRequest(
                    query: query, form: form, pathCode: FormBody.decoded(request.pathParameter),
                    session: session, isSessionOpen: { [sessions] in sessions.isOpen(value) },
                    chooseZone: { [sessions] in sessions.choose($0, for: value) },
                    operatorRequest: session.entry.request(identifier: request.identifier)))
        }
        switch answer {
        case .page(let page): return render(page, for: session, notice: sessions.takeNotice(for: value))
        case .redirect(let path, let notice):
            if let notice { sessions.leave(notice, for: value) }
            return redirect(to: path)
        case .stream(let answer, let filename):
            if let filename {
                logger.notice(
                    "console download", metadata: ["operator": "\(session.entry.name)", "filename": "\(filename)"])
            }
            return answer
        }
    }

    /// - Returns: the answer, or what went wrong as a page.
    private func answerOrError(
        _ request: RelayRequest, back: (name: String, path: String)?, _ body: () async throws -> ConsoleAnswer
    ) async -> ConsoleAnswer {
        do {
            return try await body()
        } catch let error as ConsoleError {
            return .page(error.page(back: back))
        } catch JournalError.unreadable {
            return .page(ConsoleError.unreadableRecord.page(back: back))
        } catch JournalError.overloaded {
            return .page(ConsoleError.overloaded.page(back: back))
        } catch let error as JournalError {
            request.logger.error("console: journal", metadata: ["error": "\(error)"])
            return .page(ConsoleError.journal.page(back: back))
        } catch {
            request.logger.error("console: unexpected", metadata: ["error": "\(error)"])
            return .page(ConsoleError.unexpected.page(back: back))
        }
    }

    // MARK: Login

    /// The operator whom the request's token names; nil where it has none, or a bad one.
    private func signedIn(by request: RelayRequest) async -> Sessions.SignedIn? {
        guard let tokens, let name = HTTPField.Name(tokens.header), let value = request.head.headerFields[name]
        else { return nil }
        do throws(JWTError) {
            let (entry, until) = try await tokens.signedIn(by: value)
            let left = Duration.seconds(max(0, until - Date().timeIntervalSince1970))
            return Sessions.SignedIn(entry: entry, tokenEndsAt: sessions.now() + left)
        } catch {
            // Each request has the token: the log does not have each.
            if refusedTokens.count(request.peer) == nil {
                logger.warning(
                    "console token refused",
                    metadata: ["error": "\(error)", "address": "\(request.clientAddress ?? "")"])
            }
            return nil
        }
    }

    /// A browser that follows a link from another site does not send a cookie that is `SameSite=Strict`. So it is sent once more from
    /// a page of this listener, before the operator is asked to log in again.
    private func answer(toStranger request: RelayRequest) -> Answer {
        let path = Links.ownPath(request.head.path) ?? Links.start
        guard request.head.method != .post else {
            // What was sent was not done; the page that it was sent from is where to go on.
            let back = (try? FormBody(queryOf: request)).flatMap { Links.page(about: $0) }
            return redirect(to: Links.login(then: back?.path ?? Links.start))
        }
        if request.isFromAnotherSite {
            return render(Page(template: "continue", title: "payrelay", view: ["path": .text(path)]))
        }
        return redirect(to: Links.login(then: path))
    }

    @Sendable private func loginPage(for request: RelayRequest) async -> Answer {
        let query = (try? FormBody(queryOf: request)) ?? .empty
        let signedIn = await signedIn(by: request)
        let session = cookie.value(in: request.head.headerFields).flatMap { sessions.session($0, with: signedIn) }
        // Who is signed in by a token has nothing to log in to.
        if session != nil || signedIn != nil { return redirect(to: Links.ownPath(query["then"]) ?? Links.start) }
        return loginPage(then: query["then"], hasEnded: cookie.value(in: request.head.headerFields) != nil)
    }

    private func loginPage(
        then path: String?, hasEnded: Bool = false, error: String? = nil, status: HTTPResponse.Status = .ok
    ) -> Answer {
        render(
            Page(
                status: status, template: "login", title: "Log in",
                view: [
                    "hasOperators": .flag(!operators.value.entries.isEmpty), "header": View(tokens?.header),
                    "error": View(error),
                    "then": View(Links.ownPath(path)), "hasEnded": .flag(hasEnded),
                ]))
    }

    @Sendable private func logIn(with request: RelayRequest) -> Answer {
        let form: FormBody
        do throws(ConsoleError) {
            form = try FormBody(of: request)
        } catch {
            return render(error.page())
        }
        guard let entry = form["key"].flatMap({ OperatorKey($0) }).flatMap({ operators.value.entry(with: $0) }) else {
            if let seconds = failedLogins.count(request.peer) {
                var answer = loginPage(
                    then: form["then"],
                    error: "That is no operator's key, and too many logins from your address have failed.",
                    status: .tooManyRequests)
                answer.head.headerFields[.retryAfter] = String(seconds)
                return answer
            }
            logger.warning("console login refused", metadata: ["address": "\(request.clientAddress ?? "")"])
            return loginPage(
                then: form["then"], error: "That is no operator's key. API keys do not open the console.",
                status: .unauthorized)
        }
        logger.notice(
            "console login", metadata: ["operator": "\(entry.name)", "address": "\(request.clientAddress ?? "")"])
        let value = sessions.begin(for: entry, endingThatOf: cookie.value(in: request.head.headerFields))
        var answer = redirect(to: Links.ownPath(form["then"]) ?? Links.start)
        answer.head.headerFields[.setCookie] = cookie.setting(value)
        return answer
    }

    @Sendable private func logOut(with request: RelayRequest) async -> Answer {
        let signedIn = await signedIn(by: request)
        guard let value = cookie.value(in: request.head.headerFields),
            let session = sessions.session(value, with: signedIn)
        else {
            return redirect(to: Links.login)
        }
        guard let form = try? FormBody(of: request), session.isOwnForm(form) else {
            return render(ConsoleError.forgedForm.page(), for: session, notice: nil)
        }
        sessions.end(value)
        logger.notice("console logout", metadata: ["operator": "\(session.entry.name)"])
        let leave = session.entry.needsToken ? tokens?.signOutURL : nil
        var answer = redirect(to: leave ?? Links.login)
        answer.head.headerFields[.setCookie] = cookie.clearing
        return answer
    }

    // MARK: Answers

    /// Returns a problem of a page as a page; `nil` if the request is for something else. The page has no session: the request was refused
    /// before its session was looked up.
    @Sendable public func page(about problem: Problem, for request: HTTPRequest) -> Answer? {
        let path = (request.path ?? "").cut(at: "?").before
        guard path == Links.start || path.begins(with: Links.start + "/") else { return nil }
        return render(ConsoleError(problem).page())
    }

    private func render(_ page: Page, for session: Session? = nil, notice: Notice? = nil) -> Answer {
        var view = page.view
        view["title"] = .text(page.title)
        view["notice"] = notice?.view ?? View.none
        // Who is not logged in has nothing to do about it.
        let bad = session == nil ? [] : accountStates().filter(\.state.isBad)
        view["alarms"] = View(bad.map { .text("\($0.gateway), account \($0.account): \($0.sentence)") })
        view["operator"] = session.map {
            [
                "name": .text($0.entry.name), "role": .text($0.entry.role.rawValue),
                "formToken": .text($0.formToken), "zone": View($0.zone?.description),
            ]
        }
        view["menu"] = View(
            screens.menu.map {
                [
                    "title": .text($0.title), "path": .text($0.path), "isCurrent": .flag($0.title == page.menu),
                ]
            })
        var fields = ConsoleAsset.fields(mediaType: "text/html; charset=utf-8")
        fields.append(contentsOf: page.fields)
        return Answer(
            head: HTTPResponse(status: page.status, headerFields: fields),
            body: templates.render(page.template, .parts(view)))
    }

    private func redirect(to path: String) -> Answer {
        Answer(head: HTTPResponse(status: .seeOther, headerFields: [.location: path]), body: [])
    }
}

extension RelayRequest {
    fileprivate var peer: PeerNetwork { PeerNetwork(address: clientAddress ?? "") }

    fileprivate var isFromAnotherSite: Bool {
        head.headerFields[.secFetchSite].map { $0 == "cross-site" || $0 == "same-site" } ?? false
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
