public import AccessControl
import FoundationEssentials
public import HTTPListener
public import HTTPTypes
public import Logging
public import PaymentRelay
import PayrelayPrimitives
public import RelayServer

/// The pages for operators, at `/console` on the admin listener.
///
/// The pages are rendered on the server. Without JavaScript they lack only the browser's time zone. A browser
/// never stores a key, only the number of its session. Every change is made by a form that belongs to the session
/// and that was sent by a page of this listener.
public struct Console: Sendable {
    let relay: PaymentRelay
    let operators: ReloadableValue<Operators>
    let tokens: OperatorTokens?
    let sessions: Sessions
    let cookie: SessionCookie
    /// The rate limit for failed logins from one network: ten at once, then one per second.
    ///
    /// A key has 32 random bytes and cannot be guessed, however fast the guesses are. The limit keeps failed
    /// logins from filling the log. It does not lock out an operator who has a key, because behind a proxy all
    /// operators share one address.
    private let failedLogins: RateLimit<PeerNetwork>
    private let refusedTokens: RateLimit<PeerNetwork>
    let templates: Templates
    let screens: Screens
    let accountStates: @Sendable () -> [AccountAvailability]
    let logger: Logger

    /// - Parameters:
    ///   - operators: the operators who may log in.
    ///   - tokens: identifies operators whom an authenticating proxy has signed in; `nil` if there is no such
    ///     proxy.
    ///   - gateways: the pages and texts that the gateways' modules add.
    ///   - isTLS: whether the listener speaks TLS.
    ///   - sendsEvents: whether events are sent to the merchant's backend.
    ///   - isDraining: whether the relay is stopping. Open streams end then.
    ///   - accountStates: returns the availability of each account. Every page shows a warning if one is bad.
    ///   - health: returns the relay's state.
    ///   - configuration: the settings in the form that may be shown.
    /// - Throws: if a template cannot be parsed, which a test would have found.
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

    /// - Parameter now: the clock for sessions and for the limits on logins.
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

    /// The routes of the console, for the admin listener.
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

    /// All other paths. Only a logged-in operator learns that there is no such page.
    private static let noScreens = [HTTPRequest.Method.get, .post].map { method in
        Screen(method, "/console/**", .look) { _ in throw ConsoleError.notFound }
    }

    /// Responds to a request for a screen, which requires a logged-in operator.
    private func respond(to request: RelayRequest, with screen: Screen) async -> Answer {
        let signedIn = await signedIn(by: request)
        var value = cookie.value(in: request.head.headerFields)
        var session = value.flatMap { sessions.session($0, with: signedIn) }
        var begun: String?
        // A session is not begun for a form, which must belong to an existing session, or for a link from another
        // site, which must not be shown with the operator's context.
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
            // Checks the CSRF token. The listener has already rejected requests that a browser marks as
            // cross-site.
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

    /// Runs the body, and turns its errors into pages.
    ///
    /// - Returns: the response, or an error page.
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

    /// Returns the operator whom the request's token identifies; `nil` if there is no token or if it is invalid.
    private func signedIn(by request: RelayRequest) async -> Sessions.SignedIn? {
        guard let tokens, let name = HTTPField.Name(tokens.header), let value = request.head.headerFields[name]
        else { return nil }
        do throws(JWTError) {
            let (entry, until) = try await tokens.signedIn(by: value)
            let left = Duration.seconds(max(0, until - Date().timeIntervalSince1970))
            return Sessions.SignedIn(entry: entry, tokenEndsAt: sessions.now() + left)
        } catch {
            // The token is sent with every request, so refusals are logged at a limited rate.
            if refusedTokens.count(request.peer) == nil {
                logger.warning(
                    "console token refused",
                    metadata: ["error": "\(error)", "address": "\(request.clientAddress ?? "")"])
            }
            return nil
        }
    }

    /// Responds to a request without a session.
    ///
    /// When a browser follows a link from another site, it does not send a `SameSite=Strict` cookie. So before
    /// the operator is asked to log in again, a page of this listener repeats the request.
    private func answer(toStranger request: RelayRequest) -> Answer {
        let path = Links.ownPath(request.head.path) ?? Links.start
        guard request.head.method != .post else {
            // The form was not processed. The operator continues at the page that the form was about.
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
        // An operator who is signed in by a token does not need to log in.
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
                    error: "That is not an operator's key, and too many logins from your address have failed.",
                    status: .tooManyRequests)
                answer.head.headerFields[.retryAfter] = String(seconds)
                return answer
            }
            logger.warning("console login refused", metadata: ["address": "\(request.clientAddress ?? "")"])
            return loginPage(
                then: form["then"], error: "That is not an operator's key. API keys do not open the console.",
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

    // MARK: Responses

    /// Returns a problem as an HTML page; `nil` if the request is not for a page. The page has no session,
    /// because the request was rejected before its session was looked up.
    @Sendable public func page(about problem: Problem, for request: HTTPRequest) -> Answer? {
        let path = (request.path ?? "").cut(at: "?").before
        guard path == Links.start || path.begins(with: Links.start + "/") else { return nil }
        return render(ConsoleError(problem).page())
    }

    private func render(_ page: Page, for session: Session? = nil, notice: Notice? = nil) -> Answer {
        var view = page.view
        view["title"] = .text(page.title)
        view["notice"] = notice?.view ?? View.none
        // Without a session, the reader cannot do anything about the alarms, so they are not shown.
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
