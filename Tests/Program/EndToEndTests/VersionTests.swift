import Foundation
import TestPrograms
import Testing

/// One line of the sources sets the version, and every other mention of it agrees.
@Suite struct VersionTests {
    private static func version() async throws -> String {
        let (status, text) = try await RunningProgram.run(["--version"])
        #expect(status == 0)
        return text.trimmingCharacters(in: .newlines)
    }

    @Test("The metric has the version that `payrelay --version` prints")
    func theMetricAgrees() async throws {
        let version = try await Self.version()
        let relay = try await RunningRelay()
        #expect(try await relay.metric("payrelay_build_info{build=\"debug\",version=\"\(version)\"}") == 1)
    }

    @Test("The packages and the image's label have the version that `payrelay --version` prints")
    func thePackagesAgree() async throws {
        let version = try await Self.version()
        let script = Process()
        script.executableURL = Project.url("packaging/version")
        let output = Pipe()
        script.standardOutput = output
        try script.run()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        script.waitUntilExit()
        #expect(printed == version + "\n")
        let dockerfile = try String(contentsOf: Project.url("docker/Dockerfile"), encoding: .utf8)
        #expect(dockerfile.contains("\nARG VERSION=\(version)\n"))
    }

    @Test("The documentation names the files of this version, and the changelog none after it")
    func theDocumentationAgrees() async throws {
        let version = try await Self.version()
        let installation = try String(contentsOf: Project.url("docs/installation.md"), encoding: .utf8)
        let named = Set(installation.matches(of: /payrelay[-_:](\d+\.\d+\.\d+)/).map { String($0.output.1) })
        #expect(named == [version])
        let changelog = try String(contentsOf: Project.url("CHANGELOG.md"), encoding: .utf8)
        if let newest = changelog.firstMatch(of: /\n## (\d+\.\d+\.\d+)/)?.output.1 {
            #expect(version.compare(newest, options: .numeric) != .orderedAscending)
        }
    }
}
