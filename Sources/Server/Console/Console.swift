public import AccessControl
import FoundationEssentials
import PayrelayPrimitives
import HTTPListener
import HTTPTypes
public import Hummingbird
public import Logging
public import PaymentRelay
public import RelayServer

/// The pages of operators, at `/console` on the admin listener.
///
/// Rendered here; without JavaScript a page lacks nothing but the reader's own time zone. A browser holds no key, only the number of a
/// session. What changes something is a form of that session, sent by a page of this listener.
public struct Console: OperatorsPages {
    let relay: PaymentRelay
    let operators: ReloadableOperators
    let tokens: OperatorTokens?
    let sessions: Sessions
    let cookie: SessionCookie
    let failedLogins: FailedLogins
    private let refusedTokens: FailedLogins
    let templates: Templates
    let screens: Screens
    let accountStates: @Sendable () -> [AccountAvailability]
    let logger: Logger

    /// - Parameters:
    ///   - operators: who may log in.
    ///   - tokens: how a proxy tells whom it has signed in; nil where none does.
    ///   - processors: what the processors' modules add.
    ///   - isTLS: whether the listener speaks TLS.
    ///   - sendsEvents: whether the merchant's backend is sent events.
    ///   - isDraining: whether the relay stops; a page that goes on ends then.
    ///   - accountStates: how each account is answered; every page says it where it is bad.
    ///   - health: how things stand.
    ///   - configuration: the settings as they may be shown.
    /// - Throws: where a template cannot be read, which a test would have found.
    public init(
        relay: PaymentRelay, operators: ReloadableOperators, tokens: OperatorTokens? = nil,
        processors: [ProcessorPages], isTLS: Bool, sendsEvents: Bool,
        isDraining: @escaping @Sendable () -> Bool,
        accountStates: @escaping @Sendable () -> [AccountAvailability],
        health: @escaping @Sendable () async -> OperatorsHealth, configuration: [ConfigurationGroup],
        logger: Logger
    ) throws {
        try self.init(
            relay: relay, operators: operators, tokens: tokens, processors: processors, isTLS: isTLS,
            sendsEvents: sendsEvents, isDraining: isDraining, accountStates: accountStates, health: health,
            configuration: configuration, now: { .now }, logger: logger)
    }

    /// - Parameter now: the clock of the sessions and of the limits on logins.
    init(
        relay: PaymentRelay, operators: ReloadableOperators, tokens: OperatorTokens? = nil,
        processors: [ProcessorPages], isTLS: Bool, sendsEvents: Bool,
        isDraining: @escaping @Sendable () -> Bool,
        accountStates: @escaping @Sendable () -> [AccountAvailability],
        health: @escaping @Sendable () async -> OperatorsHealth, configuration: [ConfigurationGroup],
        now: @escaping @Sendable () -> ContinuousClock.Instant, logger: Logger
    ) throws {
        self.relay = relay
        self.operators = operators
        self.tokens = tokens
        sessions = Sessions(operators, now: now)
        failedLogins = FailedLogins(now: now)
        refusedTokens = FailedLogins(now: now)
        cookie = SessionCookie("__Host-payrelay", plainName: "payrelay_console", isTLS: isTLS)
        templates = try Templates(processors.flatMap(\.templates))
        screens = Screens(
            relay: relay, processors: processors, sendsEvents: sendsEvents, isDraining: isDraining, health: health,
            configuration: configuration)
        self.accountStates = accountStates
        self.logger = logger
    }

    /// Adds the pages to the admin listener's routes.
    public func addRoutes(to router: Router<AdminRequestContext>) {
        for asset in ConsoleAsset.all {
            for method in [HTTPRequest.Method.get, .head] {
                router.on(RouterPath(asset.path), method: method) { _, _ in asset.response }
            }
        }
        for method in [HTTPRequest.Method.get, .head] {
            router.on("/console/login", method: method) { request, context in
                await loginPage(for: request, context)
            }
            router.on("/console/**", method: method) { request, context in
                await respond(to: request, context, needing: .look) { _ in throw ConsoleError.notFound }
            }
        }
        router.post("/console/**") { request, context in
            await respond(to: request, context, needing: .look) { _ in throw ConsoleError.notFound }
        }
        router.post("/console/login") { request, context in await logIn(with: request, context) }
        router.post("/console/logout") { request, context in await logOut(with: request, context) }
        for screen in screens.all {
            for method in screen.method == .get ? [.get, .head] : [screen.method] {
                router.on(RouterPath(screen.path), method: method) { request, context in
                    await respond(to: request, context, needing: screen.action, screen.respond)
                }
            }
        }
    }

    /// A screen of an operator who is logged in.
    private func respond(
        to request: Request, _ context: AdminRequestContext, needing action: OperatorAction, _ screen: Screen.Respond
    ) async -> Response {
        let signedIn = await signedIn(by: request, context)
        var value = cookie.value(in: request.headers)
        var session = value.flatMap { sessions.session($0, with: signedIn) }
        var begun: String?
        // A form is of a session that was there before; and what another site links to is not shown with its context.
        if session == nil, let signedIn, request.method != .post, !request.isFromAnotherSite {
            begun = sessions.begin(for: signedIn.entry, until: signedIn.tokenEndsAt, endingThatOf: value)
            value = begun
            session = begun.flatMap { sessions.session($0, with: signedIn) }
        }
        guard let value, let session else { return response(toStranger: request) }
        var response = await respond(to: request, context, needing: action, in: session, of: value, screen)
        if let begun { response.headers[.setCookie] = cookie.setting(begun) }
        return response
    }

    private func respond(
        to request: Request, _ context: AdminRequestContext, needing action: OperatorAction, in session: Session,
        of value: String, _ screen: Screen.Respond
    ) async -> Response {
        let back = (try? FormBody(queryOf: request)).flatMap { Links.page(about: $0) }
        let answer = await answerOrError(context, back: back) { () async throws in
            let query = try FormBody(queryOf: request)
            let form = request.method == .post ? try await FormBody(of: request) : .empty
            // The CSRF token. The listener has already refused what a browser marks as cross-site.
            guard request.method != .post || session.isOwnForm(form) else { throw ConsoleError.forgedForm }
            guard session.entry.role.may(action) else {
                throw ConsoleError.notPermitted(session.entry.role, action)
            }
            return try await screen(
                ScreenRequest(
                    query: query, form: form, pathCode: context.parameters.get("code").flatMap { FormBody.decoded($0) },
                    session: session, isSessionOpen: { [sessions] in sessions.isOpen(value) },
                    chooseZone: { [sessions] in sessions.choose($0, for: value) },
                    operatorRequest: session.entry.request(identifier: context.id)))
        }
        switch answer {
        case .page(let page): return render(page, for: session, notice: sessions.takeNotice(for: value))
        case .redirect(let path, let notice):
            if let notice { sessions.leave(notice, for: value) }
            return redirect(to: path)
        case .download(let download):
            logger.notice(
                "console download",
                metadata: ["operator": "\(session.entry.name)", "filename": "\(download.filename)"])
            return download.response
        case .events(let events): return events.response
        }
    }

    /// - Returns: the answer, or what went wrong as a page.
    private func answerOrError(
        _ context: AdminRequestContext, back: (name: String, path: String)?, _ body: () async throws -> ConsoleAnswer
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
            context.logger.error("console: journal", metadata: ["error": "\(error)"])
            return .page(ConsoleError.journal.page(back: back))
        } catch {
            context.logger.error("console: unexpected", metadata: ["error": "\(error)"])
            return .page(ConsoleError.unexpected.page(back: back))
        }
    }

    // MARK: Login

    /// The operator whom the request's token names; nil where it has none, or a bad one.
    private func signedIn(by request: Request, _ context: AdminRequestContext) async -> Sessions.SignedIn? {
        guard let tokens, let name = HTTPField.Name(tokens.header), let value = request.headers[name] else {
            return nil
        }
        do throws(JWTError) {
            let (entry, until) = try await tokens.signedIn(by: value)
            let left = Duration.seconds(max(0, until - Date().timeIntervalSince1970))
            return Sessions.SignedIn(entry: entry, tokenEndsAt: sessions.now() + left)
        } catch {
            // Each request has the token: the log does not have each.
            if refusedTokens.count(from: context.peerAddress) == nil {
                logger.warning(
                    "console token refused",
                    metadata: ["error": "\(error)", "address": "\(context.peerAddress ?? "")"])
            }
            return nil
        }
    }

    /// A browser that follows a link from another site does not send a cookie that is `SameSite=Strict`. So it is sent once more from
    /// a page of this listener, before the operator is asked to log in again.
    private func response(toStranger request: Request) -> Response {
        let path = Links.ownPath(request.head.path) ?? Links.start
        guard request.method == .get || request.method == .head else {
            // What was sent was not done; the page that it was sent from is where to go on.
            let back = (try? FormBody(queryOf: request)).flatMap { Links.page(about: $0) }
            return redirect(to: Links.login(then: back?.path ?? Links.start))
        }
        if request.isFromAnotherSite {
            return render(Page(template: "continue", title: "payrelay", view: ["path": .text(path)]))
        }
        return redirect(to: Links.login(then: path))
    }

    private func loginPage(for request: Request, _ context: AdminRequestContext) async -> Response {
        let query = (try? FormBody(queryOf: request)) ?? .empty
        let signedIn = await signedIn(by: request, context)
        let session = cookie.value(in: request.headers).flatMap { sessions.session($0, with: signedIn) }
        // Who is signed in by a token has nothing to log in to.
        if session != nil || signedIn != nil { return redirect(to: Links.ownPath(query["then"]) ?? Links.start) }
        return loginPage(then: query["then"], hasEnded: cookie.value(in: request.headers) != nil)
    }

    private func loginPage(
        then path: String?, hasEnded: Bool = false, error: String? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        render(
            Page(
                status: status, template: "login", title: "Log in",
                view: [
                    "hasOperators": .flag(!operators.isEmpty), "header": View(tokens?.header), "error": View(error),
                    "then": View(Links.ownPath(path)), "hasEnded": .flag(hasEnded),
                ]))
    }

    private func logIn(with request: Request, _ context: AdminRequestContext) async -> Response {
        let form: FormBody
        do {
            form = try await FormBody(of: request)
        } catch {
            return render((error as? ConsoleError ?? .unexpected).page())
        }
        guard let entry = form["key"].flatMap({ OperatorKey($0) }).flatMap({ operators.entry(with: $0) }) else {
            if let seconds = failedLogins.count(from: context.peerAddress) {
                var response = loginPage(
                    then: form["then"],
                    error: "That is no operator's key, and too many logins from your address have failed.",
                    status: .tooManyRequests)
                response.headers[.retryAfter] = String(seconds)
                return response
            }
            logger.warning("console login refused", metadata: ["address": "\(context.peerAddress ?? "")"])
            return loginPage(
                then: form["then"], error: "That is no operator's key. API keys do not open the console.",
                status: .unauthorized)
        }
        logger.notice(
            "console login", metadata: ["operator": "\(entry.name)", "address": "\(context.peerAddress ?? "")"])
        let value = sessions.begin(for: entry, endingThatOf: cookie.value(in: request.headers))
        var response = redirect(to: Links.ownPath(form["then"]) ?? Links.start)
        response.headers[.setCookie] = cookie.setting(value)
        return response
    }

    private func logOut(with request: Request, _ context: AdminRequestContext) async -> Response {
        let signedIn = await signedIn(by: request, context)
        guard let value = cookie.value(in: request.headers), let session = sessions.session(value, with: signedIn)
        else {
            return redirect(to: Links.login)
        }
        guard let form = try? await FormBody(of: request), session.isOwnForm(form) else {
            return render(ConsoleError.forgedForm.page(), for: session, notice: nil)
        }
        sessions.end(value)
        logger.notice("console logout", metadata: ["operator": "\(session.entry.name)"])
        let leave = session.entry.needsToken ? tokens?.signOutURL : nil
        var response = redirect(to: leave ?? Links.login)
        response.headers[.setCookie] = cookie.clearing
        return response
    }

    // MARK: Responses

    public var publicPaths: Set<String> { Set(ConsoleAsset.all.map(\.path)) }

    /// The page has no session: the request was refused before its session was looked up.
    public func page(about problem: Problem, for request: HTTPRequest) -> Response? {
        let path = (request.path ?? "").cut(at: "?").before
        guard path == Links.start || path.begins(with: Links.start + "/") else { return nil }
        return render(ConsoleError(problem).page())
    }

    private func render(_ page: Page, for session: Session? = nil, notice: Notice? = nil) -> Response {
        var view = page.view
        view["title"] = .text(page.title)
        view["notice"] = notice?.view ?? View.none
        // Who is not logged in has nothing to do about it.
        let bad = session == nil ? [] : accountStates().filter(\.state.isBad)
        view["alarms"] = View(bad.map { .text("\($0.processor), account \($0.account): \($0.sentence)") })
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
        return Response(
            status: page.status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: templates.render(page.template, .parts(view)))))
    }

    private func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}

extension Request {
    fileprivate var isFromAnotherSite: Bool {
        headers[.secFetchSite].map { $0 == "cross-site" || $0 == "same-site" } ?? false
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
