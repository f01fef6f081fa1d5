// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// The views of PayrelayPortmoneSDK, compiled where `canImport(UIKit)` is true, against declarations of UIKit's and WebKit's
// types that run on Linux. It is a separate package for the same reason as Tests/PassKit: the targets of one package see each
// other's modules.
let package = Package(
    name: "OnUIKit",
    platforms: [.iOS(.v15), .macOS(.v12)],
    targets: [
        .target(name: "UIKit", swiftSettings: settings),
        .target(name: "WebKit", dependencies: ["UIKit"], swiftSettings: settings),
        // Links to the library's own sources.
        .target(name: "PayrelayPrimitives", swiftSettings: settings),
        .target(name: "PayrelayAPI", dependencies: ["PayrelayPrimitives"], swiftSettings: settings),
        .target(name: "PayrelayClient", dependencies: ["PayrelayAPI", "PayrelayPrimitives"], swiftSettings: settings),
        .target(
            name: "PayrelayPortmoneSDK", dependencies: ["PayrelayClient", "PayrelayPrimitives", "UIKit", "WebKit"],
            swiftSettings: settings),
        .testTarget(
            name: "PortmoneViewTests", dependencies: ["PayrelayPortmoneSDK", "UIKit", "WebKit"],
            // Otherwise the compiler looks for swift-testing's own part for Apple's UIKit.
            swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])]),
    ]
)
