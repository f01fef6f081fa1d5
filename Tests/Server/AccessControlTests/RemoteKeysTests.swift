import Foundation
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import AccessControl

/// A JWK Set at a URL, which can change and become unreachable, and a clock that the test advances.
@Suite struct RemoteKeysTests {
    private final class Elsewhere: Sendable {
        struct Away: Error {}

        let set = Mutex<[UInt8]?>(nil)
        let fetches = Mutex(0)
        let now = Mutex(ContinuousClock.now)

        init(_ keys: [String]) { publish(keys) }

        func publish(_ kids: [String], beside other: JSON...) {
            let keys = other + kids.map { JSON.object(Self.jwk.with(["kid": .string($0)])) }
            let bytes = JSON.object(["keys": .array(keys)]).encoded()
            set.withLock { $0 = bytes }
        }

        func goAway() { set.withLock { $0 = nil } }

        func pass(_ duration: Duration) { now.withLock { $0 = $0 + duration } }

        var count: Int { fetches.withLock { $0 } }

        func keys() -> RemoteKeys {
            RemoteKeys(
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { self.now.withLock { $0 } },
                fetch: {
                    self.fetches.withLock { $0 += 1 }
                    await Task.yield()
                    guard let bytes = self.set.withLock({ $0 }) else { throw Away() }
                    return bytes
                })
        }

        private static let jwk: JSONObject = [
            "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ]
    }

    private func fault(_ keys: RemoteKeys, _ kid: String) async -> JWTError? {
        do throws(JWTError) {
            _ = try await keys.key(named: kid)
            return nil
        } catch {
            return error
        }
    }

    @Test func oneFetchServesManyTokens() async {
        let elsewhere = Elsewhere(["a", "b"])
        let keys = elsewhere.keys()
        await withTaskGroup { group in
            for number in 0..<RemoteKeys.waitingMax {
                group.addTask { #expect(await fault(keys, number.isMultiple(of: 2) ? "a" : "b") == nil) }
            }
        }
        #expect(elsewhere.count == 1)
    }

    @Test func unknownKidsCauseOneFetchPerInterval() async {
        let elsewhere = Elsewhere(["a"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "a") == nil)
        for number in 0..<100 { #expect(await fault(keys, "invented-\(number)") == .unknownKey) }
        #expect(elsewhere.count == 1)
        elsewhere.publish(["a", "new"])
        elsewhere.pass(RemoteKeysCache.fetchInterval)
        #expect(await fault(keys, "new") == nil)
        #expect(elsewhere.count == 2)
    }

    @Test func aKeyRemovedFromTheSetIsNotUsedAfterTenMinutes() async {
        let elsewhere = Elsewhere(["old", "new"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "old") == nil)
        elsewhere.publish(["new"])
        elsewhere.pass(RemoteKeysCache.waitAfter)
        // No token is accepted, neither the first after a quiet time nor those that arrive while the set is being fetched.
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { #expect(await fault(keys, "old") == .unknownKey) } }
        }
        #expect(await fault(keys, "new") == nil)
        #expect(elsewhere.count == 2)
    }

    @Test("a wall clock that is set back keeps no key that was removed, and hides no new one")
    func aWallClockThatIsSetBack() async throws {
        let (issuer, successor) = (Issuer(), Issuer())
        let elsewhere = Elsewhere([])
        elsewhere.publish([], beside: .object(issuer.jwk("old")))
        let wall = Mutex(Issuer.now)
        let verifier = JWTVerifier(
            policy: JWTPolicy(audience: "payrelay"), keys: [], remote: elsewhere.keys(),
            now: { wall.withLock { $0 } })
        let old = try issuer.es256(header: ["alg": "ES256", "kid": "old"])
        let new = try successor.es256(header: ["alg": "ES256", "kid": "new"])
        #expect(await verifier.fault(of: old) == nil)
        elsewhere.publish([], beside: .object(successor.jwk("new")))
        wall.withLock { $0 -= 10_800 }
        elsewhere.pass(RemoteKeysCache.waitAfter)
        #expect(await verifier.fault(of: old) == .unknownKey)
        #expect(await verifier.fault(of: new) == nil)
    }

    @Test func aSetIsFetchedAgainWhileItsKeysAreUsed() async {
        let elsewhere = Elsewhere(["old", "new"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "old") == nil)
        elsewhere.publish(["new"])
        elsewhere.pass(RemoteKeysCache.fetchAfter)
        #expect(await fault(keys, "old") == nil)
        for _ in 0..<10_000 where await fault(keys, "old") == nil { await Task.yield() }
        #expect(await fault(keys, "old") == .unknownKey)
        #expect(await fault(keys, "new") == nil)
    }

    @Test(
        "a set without the key ends it, whatever else the set holds",
        arguments: [
            #"{"keys":[]}"#,
            #"{"keys":[{"kty":"EC","crv":"P-256","kid":"a","x":"AA","y":"AA"}]}"#,
            #"{"keys":[{"kty":"RSA","kid":"weak","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-256","kid":7}]}"#,
            #"{"keys":[{"kty":"oct","kid":"a","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"},null,{}]}"#,
        ])
    func aSetWithoutTheKeyEndsIt(set: String) async {
        let elsewhere = Elsewhere(["a"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "a") == nil)
        elsewhere.set.withLock { $0 = Array(set.utf8) }
        elsewhere.pass(RemoteKeysCache.waitAfter)
        #expect(await fault(keys, "a") == .unknownKey)
        elsewhere.goAway()
        elsewhere.pass(RemoteKeysCache.waitAfter)
        #expect(await fault(keys, "a") == .unknownKey)
    }

    @Test func anUnreadableKeyDoesNotHideTheOthers() async {
        let elsewhere = Elsewhere(["a", "b"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "a") == nil)
        elsewhere.publish(["b"], beside: ["kty": "EC", "crv": "P-256", "kid": "broken", "x": "AA", "y": "AA"])
        elsewhere.pass(RemoteKeysCache.waitAfter)
        #expect(await fault(keys, "a") == .unknownKey)
        #expect(await fault(keys, "b") == nil)
    }

    @Test func whileTheSetIsUnreachableItsKeysAreValidForADay() async {
        let elsewhere = Elsewhere(["a"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "a") == nil)
        elsewhere.goAway()
        elsewhere.pass(RemoteKeysCache.validFor - .seconds(1))
        #expect(await fault(keys, "a") == nil)
        elsewhere.pass(RemoteKeysCache.fetchInterval)
        #expect(await fault(keys, "a") == .keysUnavailable)
        elsewhere.publish(["a"])
        elsewhere.pass(RemoteKeysCache.fetchInterval)
        #expect(await fault(keys, "a") == nil)
    }

    @Test("after a failed fetch of the key set, no token waits for the next attempt; after a quiet time one does again")
    func noTokenWaitsForAHostThatDoesNotAnswer() async {
        let cases: [(pause: Duration, error: JWTError?)] = [
            (RemoteKeysCache.fetchInterval, nil), (RemoteKeysCache.fetchAfter, .unknownKey),
        ]
        for (pause, error) in cases {
            let elsewhere = Elsewhere(["old"])
            let keys = elsewhere.keys()
            #expect(await fault(keys, "old") == nil)
            elsewhere.goAway()
            elsewhere.pass(RemoteKeysCache.waitAfter)
            // The answer waits for the attempt that fails.
            #expect(await fault(keys, "old") == nil)
            elsewhere.publish(["new"])
            elsewhere.pass(pause)
            #expect(await fault(keys, "old") == error)
            for _ in 0..<10_000 where await fault(keys, "old") == nil { await Task.yield() }
            #expect(await fault(keys, "old") == .unknownKey)
            #expect(await fault(keys, "new") == nil)
        }
    }

    @Test("S14: a host that does not answer keeps few tokens waiting, and the others are answered at once")
    func fewTokensWait() async throws {
        let (answers, answer) = AsyncStream.makeStream(of: Void.self)
        let (fetches, fetch) = AsyncStream.makeStream(of: Void.self)
        let keys = RemoteKeys(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            fetch.yield()
            for await _ in answers {}
            throw Elsewhere.Away()
        }
        await withTaskGroup { group in
            for number in 0..<(RemoteKeys.waitingMax + 100) {
                group.addTask { #expect(await self.fault(keys, "unknown-\(number)") == .keysUnavailable) }
            }
            for await _ in fetches { break }
            // These tokens have their answers while the host is silent.
            for _ in 0..<100 { await group.next() }
            answer.finish()
        }
    }

    @Test func aResponseThatIsNotASetChangesNothing() async {
        let elsewhere = Elsewhere(["a"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "a") == nil)
        elsewhere.set.withLock { $0 = Array("<html>".utf8) }
        elsewhere.pass(RemoteKeysCache.waitAfter)
        #expect(await fault(keys, "b") == .unknownKey)
        #expect(await fault(keys, "a") == nil)
    }

    @Test func aPublishedSharedSecretIsIgnored() async {
        let elsewhere = Elsewhere(["a"])
        let secret = #"{"keys":[{"kty":"oct","kid":"s","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"}]}"#
        elsewhere.set.withLock { $0 = Array(secret.utf8) }
        #expect(await fault(elsewhere.keys(), "s") == .unknownKey)
    }
}
