// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

// The client library, compiled where `canImport(PassKit)` is true, against declarations of PassKit's types that run on Linux:
// `make test` runs its tests. It is a separate package, because the targets of one package see each other's modules: in the
// package that apps use, the library itself would import a module named PassKit, and on a Mac in place of Apple's.
let package = Package(
    name: "OnPassKit",
    platforms: [.iOS(.v15), .macOS(.v12)],
    targets: [
        .target(name: "PassKit", swiftSettings: settings),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "CryptoKit", dependencies: ["COpenSSL"], swiftSettings: settings),
        // Links to the library's own sources, and to those of the example that uses it.
        .target(name: "PayrelayPrimitives", swiftSettings: settings),
        .target(name: "PayrelayAPI", dependencies: ["PayrelayPrimitives"], swiftSettings: settings),
        .target(
            name: "PayrelayClient", dependencies: ["CryptoKit", "PassKit", "PayrelayAPI", "PayrelayPrimitives"],
            swiftSettings: settings),
        .target(name: "FortDocuments", swiftSettings: settings),
        .target(
            name: "PayrelayFortSDK", dependencies: ["PassKit", "PayrelayAPI", "PayrelayClient", "PayrelayPrimitives"],
            resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
        .target(name: "ShopCheckout", dependencies: ["PayrelayClient"], swiftSettings: settings),
        .testTarget(
            name: "PayrelayFortSDKTests",
            dependencies: [
                "FortDocuments", "PassKit", "PayrelayAPI", "PayrelayClient", "PayrelayFortSDK", "PayrelayPrimitives",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentationTests", dependencies: ["PassKit", "PayrelayClient"], swiftSettings: settings),
        .testTarget(
            name: "ApplePaySheetTests",
            dependencies: [
                "CryptoKit", "PassKit", "PayrelayAPI", "PayrelayClient", "PayrelayPrimitives", "ShopCheckout",
            ],
            swiftSettings: settings),
    ]
)
