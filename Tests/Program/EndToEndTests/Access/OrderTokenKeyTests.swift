import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// `payrelay order-token key`: new keys, and the change from one to the next.
@Suite struct OrderTokenKeyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A new key is written to new files that only their owner reads, and shown nowhere")
    func newKeysAreSecret() async throws {
        let (backend, relay) = (folder.path("b.json"), folder.path("r.json"))
        let arguments = ["order-token", "key", "--algorithm", "HS256", "--kid", "k1", "--client", "shop"]
        let files = ["--backend", backend, "--relay", relay]
        let made = try await RunningProgram.run(arguments + files)
        let text = try String(contentsOfFile: backend, encoding: .utf8)
        let secret = try #require(try JSON(parsing: text)["keys"]?.arrayValue?[0]["k"]?.stringValue)
        #expect(made.status == 0 && !made.text.contains(secret))
        for file in [backend, relay] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let again = try await RunningProgram.run(arguments + files)
        #expect(again.status == 65 && again.text.contains("File exists"))
        #expect(try String(contentsOfFile: backend, encoding: .utf8) == text)
        // Half a pair is useless: if the second file cannot be written, the first is removed.
        let half = folder.path("half.json")
        let failed = try await RunningProgram.run(arguments + ["--backend", half, "--relay", relay])
        #expect(failed.status == 65 && !FileManager.default.fileExists(atPath: half))
        let link = folder.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("target.json"))
        let linked = try await RunningProgram.run(arguments + ["--backend", link, "--relay", folder.path("r2.json")])
        #expect(linked.status == 65 && !FileManager.default.fileExists(atPath: folder.path("target.json")))
    }

    @Test("In a rotation both keys' tokens are taken, and then the new one's alone")
    func rotation() async throws {
        let old = try await OrderTokenKeyFiles(named: "old", in: folder)
        let keys = try folder.file("keys.json", String(contentsOfFile: old.relay, encoding: .utf8))
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_FILE": keys])
        let new = try await OrderTokenKeyFiles(named: "new", in: folder, beside: keys)
        func reload(_ text: String) async throws {
            try Data(text.utf8).write(to: URL(filePath: keys), options: .atomic)
            let before = relay.program.lines.count { $0.contains("reloaded") }
            relay.program.signal(SIGHUP)
            try await relay.program.wait(for: "the reload") {
                relay.program.lines.count { $0.contains("reloaded") } > before
            }
        }
        func statuses() async throws -> [Int] {
            var statuses: [Int] = []
            for key in [old, new] {
                let token = try await key.sign("ORDER-1001")
                statuses.append(try await relay.get("/v1/payments/ORDER-1001", headers: bearer(token)).status)
            }
            return statuses
        }
        // The status 404 means that the token was accepted.
        #expect(try await statuses() == [404, 401])
        let set = try String(contentsOfFile: new.relay, encoding: .utf8)
        try await reload(set)
        #expect(try await statuses() == [404, 404])
        let last = try #require(try JSON(parsing: set)["keys"]?.arrayValue?.last)
        try await reload(String(decoding: JSON.object(["keys": [last]]).encoded(), as: UTF8.self))
        #expect(try await statuses() == [401, 404])
    }
}
