import Foundation
import Testing

/// Apple refuses an app if its libraries use certain interfaces without a manifest that gives the reason.
@Suite struct PrivacyManifestTests {
    private static let clients = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appendingPathComponent("Sources/Clients")

    /// A name in the sources, and Apple's category for it.
    private static let interfaces = [
        "UserDefaults": "NSPrivacyAccessedAPICategoryUserDefaults",
        "AppStorage": "NSPrivacyAccessedAPICategoryUserDefaults",
        "systemUptime": "NSPrivacyAccessedAPICategorySystemBootTime",
        "mach_absolute_time": "NSPrivacyAccessedAPICategorySystemBootTime",
        "modificationDate": "NSPrivacyAccessedAPICategoryFileTimestamp",
        "activeInputModes": "NSPrivacyAccessedAPICategoryActiveKeyboards",
        "volumeAvailableCapacity": "NSPrivacyAccessedAPICategoryDiskSpace",
    ]

    @Test(
        "A library's privacy manifest has the categories of the interfaces it uses, each with a reason, and no tracking",
        arguments: ["PayrelayClient", "PayrelayFortSDK", "PayrelayPortmoneSDK"])
    func theManifest(library: String) throws {
        let folder = Self.clients.appendingPathComponent(library)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }
        let sources = try files.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(!sources.isEmpty)
        let used = Self.interfaces.filter { name, _ in sources.contains { $0.contains(name) } }.values
        let manifest = folder.appendingPathComponent("PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: manifest.path) else { return #expect(used.isEmpty) }
        let document = try PropertyListSerialization.propertyList(from: Data(contentsOf: manifest), format: nil)
        let members = try #require(document as? [String: Any])
        #expect(members["NSPrivacyTracking"] as? Bool == false)
        let types = try #require(members["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let declared = types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        #expect(Set(declared) == Set(used) && declared.count == types.count)
        for type in types {
            #expect(type["NSPrivacyAccessedAPITypeReasons"] as? [String] == ["CA92.1"])
        }
    }
}
