import AccessControl
import Crypto
import PayrelayPrimitives
import Synchronization

/// The sessions of logged-in operators. A browser has only a random number and never a key. Everything else about
/// a session is stored only here, in memory, and ends with the process.
final class Sessions: Sendable {
    /// The time without a request after which an operator must log in again.
    static let idleTimeout = Duration.seconds(30 * 60)
    /// The time after which an operator must log in again in any case.
    static let lifetime = Duration.seconds(12 * 3_600)
    /// The maximum number of sessions of one key. One more session ends the session that was not used for the
    /// longest time.
    static let perOperator = 8

    private struct Held {
        var session: Session
        let begunAt: ContinuousClock.Instant
        var usedAt: ContinuousClock.Instant
        /// When the token expires with which the session was last used; `nil` for an operator with a key.
        var tokenEndsAt: ContinuousClock.Instant?
        var notice: Notice?
        var zone: ClockZone?

        func isExpired(at moment: ContinuousClock.Instant) -> Bool {
            usedAt.duration(to: moment) >= Sessions.idleTimeout || begunAt.duration(to: moment) >= Sessions.lifetime
        }
    }

    /// The operator whom the token of the current request identifies.
    struct SignedIn {
        let entry: OperatorEntry
        let tokenEndsAt: ContinuousClock.Instant
    }

    private let operators: ReloadableValue<Operators>
    let now: @Sendable () -> ContinuousClock.Instant
    /// The sessions by the SHA-256 of their cookies, so that the time of a lookup reveals nothing about other
    /// cookies.
    private let held = Mutex<[[UInt8]: Held]>([:])

    init(_ operators: ReloadableValue<Operators>, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.operators = operators
        self.now = now
    }

    /// Begins a session with a new random number. A number that the browser already has is never reused.
    ///
    /// - Parameters:
    ///   - tokenEndsAt: see ``SignedIn``; `nil` for an operator with a key.
    ///   - earlier: the browser's previous cookie, whose session ends.
    /// - Returns: the cookie.
    func begin(
        for entry: OperatorEntry, until tokenEndsAt: ContinuousClock.Instant? = nil, endingThatOf earlier: String?
    ) -> String {
        let cookie = Self.randomText()
        let moment = now()
        held.withLock { held in
            if let earlier { held[Self.digest(of: earlier)] = nil }
            held = held.filter { !$0.value.isExpired(at: moment) }
            let own = held.filter { $0.value.session.entry.isSame(as: entry) }.sorted {
                $0.value.usedAt < $1.value.usedAt
            }
            for (digest, _) in own.prefix(max(0, own.count - Self.perOperator + 1)) { held[digest] = nil }
            held[Self.digest(of: cookie)] = Held(
                session: Session(entry: entry, formToken: Self.randomText()), begunAt: moment, usedAt: moment,
                tokenEndsAt: tokenEndsAt)
        }
        return cookie
    }

    /// Returns the session of a cookie and counts it as used. Returns `nil` if there is no session, if it has
    /// expired, or if the operator's key is no longer configured.
    ///
    /// - Parameter signedIn: the operator whom the token of this request identifies. A session that was begun
    ///   with a token is valid only together with a token of the same operator.
    func session(_ cookie: String, with signedIn: SignedIn? = nil) -> Session? {
        let digest = Self.digest(of: cookie)
        let moment = now()
        return held.withLock { held in
            guard let found = held[digest] else { return nil }
            let entry =
                found.session.entry.needsToken
                ? signedIn.flatMap { $0.entry.name == found.session.entry.name ? $0.entry : nil }
                : operators.value.entry(of: found.session.entry)
            guard !found.isExpired(at: moment), let entry else {
                held[digest] = nil
                return nil
            }
            held[digest]?.usedAt = moment
            held[digest]?.tokenEndsAt = signedIn?.tokenEndsAt
            // The entry has the operator's current role.
            return Session(entry: entry, formToken: found.session.formToken, zone: found.zone)
        }
    }

    /// Whether the cookie has an open session. The check does not count as use.
    func isOpen(_ cookie: String) -> Bool {
        let digest = Self.digest(of: cookie)
        let moment = now()
        return held.withLock { held in
            guard let found = held[digest], !found.isExpired(at: moment) else { return false }
            guard found.session.entry.needsToken else { return operators.value.entry(of: found.session.entry) != nil }
            return found.tokenEndsAt.map { moment < $0 } ?? false
        }
    }

    func end(_ cookie: String) {
        held.withLock { $0[Self.digest(of: cookie)] = nil }
    }

    /// Leaves a notice for the next page.
    func leave(_ notice: Notice, for cookie: String) {
        held.withLock { $0[Self.digest(of: cookie)]?.notice = notice }
    }

    /// Stores the zone that the operator chose.
    ///
    /// - Parameter zone: the zone of the operator's times; `nil` for the browser's zone.
    func choose(_ zone: ClockZone?, for cookie: String) {
        held.withLock { $0[Self.digest(of: cookie)]?.zone = zone }
    }

    func takeNotice(for cookie: String) -> Notice? {
        held.withLock { held in
            let digest = Self.digest(of: cookie)
            defer { held[digest]?.notice = nil }
            return held[digest]?.notice
        }
    }

    var count: Int { held.withLock { $0.count } }

    private static func digest(of cookie: String) -> [UInt8] { Array(SHA256.hash(data: Array(cookie.utf8))) }

    static func randomText() -> String { Base64URL.encode(RandomBytes.make(32)) }
}

/// The session of a logged-in operator.
struct Session: Sendable {
    let entry: OperatorEntry
    /// The session's CSRF token, which each of its forms contains. No other site can read it.
    let formToken: String
    /// The zone of the operator's times, if one was chosen.
    var zone: ClockZone?

    func isOwnForm(_ form: FormBody) -> Bool {
        form["form_token"].map { equalInConstantTime(Array($0.utf8), Array(formToken.utf8)) } ?? false
    }
}
