import Foundation
import Logging
import PayrelayPrimitives
import Synchronization
import Testing

@testable import AccessControl

/// A JWK Set elsewhere that can change and go away, and a clock that the test turns.
@Suite struct RemoteKeysTests {
    private final class Elsewhere: Sendable {
        struct Away: Error {}

        let set = Mutex<[UInt8]?>(nil)
        let fetches = Mutex(0)
        let now = Mutex(Issuer.now)

        init(_ keys: [String]) { publish(keys) }

        func publish(_ kids: [String]) {
            let keys = kids.map { JSON.object(Self.jwk.with(["kid": .string($0)])) }
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
            for number in 0..<100 {
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

    @Test func aKeyRemovedFromTheSetStopsBeingValid() async {
        let elsewhere = Elsewhere(["old", "new"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "old") == nil)
        elsewhere.publish(["new"])
        elsewhere.pass(RemoteKeysCache.refreshAfter)
        // The first one to come after that does not wait, and makes it ask.
        #expect(await fault(keys, "old") == nil)
        for _ in 0..<10_000 where await fault(keys, "old") == nil { await Task.yield() }
        #expect(await fault(keys, "old") == .unknownKey)
        #expect(await fault(keys, "new") == nil)
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

    @Test func aResponseThatIsNotASetChangesNothing() async {
        let elsewhere = Elsewhere(["a"])
        let keys = elsewhere.keys()
        #expect(await fault(keys, "a") == nil)
        elsewhere.set.withLock { $0 = Array("<html>".utf8) }
        elsewhere.pass(RemoteKeysCache.refreshAfter)
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
