// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdHTTP2 = Target.Dependency.product(name: "HummingbirdHTTP2", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let x509 = Target.Dependency.product(name: "X509", package: "swift-certificates")

/// A room: a library target with its tests beside it. What it may import is what stands in `uses`.
func room(_ name: String, uses: [Target.Dependency] = [], testsUse: [Target.Dependency] = []) -> [Target] {
    [
        .target(name: name, dependencies: uses, swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "TestPrograms"] + uses + testsUse,
            swiftSettings: settings),
    ]
}

let package = Package(
    name: "payrelay",
    // What the client library asks for. The service itself runs on Linux.
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "payrelay", targets: ["payrelay"]),
        // For apps.
        .library(name: "PayrelayClient", targets: ["PayrelayClient"]),
        // For Benchmarks/ and Fuzz/, which are packages of their own.
        .library(name: "ApplePayToken", targets: ["ApplePayToken"]),
        .library(name: "BareResponder", targets: ["BareResponder"]),
        .library(name: "FortAPI", targets: ["FortAPI"]),
        .library(name: "FortProcessor", targets: ["FortProcessor"]),
        .library(name: "PayrelayPrimitives", targets: ["PayrelayPrimitives"]),
        .library(name: "OutboundHTTP", targets: ["OutboundHTTP"]),
        .library(name: "PaymentRelay", targets: ["PaymentRelay"]),
        .library(name: "PostgresJournal", targets: ["PostgresJournal"]),
        .library(name: "SQLiteJournal", targets: ["SQLiteJournal"]),
        .library(name: "TestPostgres", targets: ["TestPostgres"]),
        .library(name: "TestPrograms", targets: ["TestPrograms"]),
        .library(name: "TokenMint", targets: ["TokenMint"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.15.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .executableTarget(
            name: "payrelay",
            dependencies: [
                "AccessControl", "ApplePayToken", "Composition", "FortAPI", "FortSandbox", "HTTPListener", "LoadTest",
                "Observability", "OpenAPIDocument", "OutboundHTTP", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives",
                "TokenMint",
                argumentParser, lifecycle, logging,
                unixSignals,
            ],
            swiftSettings: settings),
        // An example of an app, without its views, and below one of a merchant's backend: compiled so that tests can run them.
        .target(
            name: "ShopCheckout", dependencies: ["PayrelayClient"], path: "Examples/SwiftUIShop/Checkout",
            swiftSettings: settings),
        .testTarget(
            name: "ShopCheckoutTests", dependencies: ["PayrelayClient", "ShopCheckout"], swiftSettings: settings),
        .executableTarget(
            name: "OrderTokenExample", dependencies: [crypto], path: "Examples/order-tokens/swift",
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ApplePayToken", "FortAPI", "FortSandbox", "OrderTokenExample", "PayrelayAPI", "PayrelayClient",
                "PayrelayPrimitives", "OutboundHTTP", "ShopCheckout", "TestPostgres", "TestPrograms", "TokenMint",
                "payrelay", asn1,
                crypto, grdb, hummingbird, logging, nioCore, x509,
            ], exclude: ["FortInPython/fort.py"],
            swiftSettings: settings),
        // A target of its own, so that the document's bytes are compiled only when it changes.
        .target(
            name: "OpenAPIDocument", resources: [.embedInCode("openapi.yaml")], swiftSettings: settings),
        // The same for what checkout pages load.
        .target(
            name: "WebAssets", resources: [.embedInCode("payrelay.js"), .embedInCode("payrelay.d.ts")],
            swiftSettings: settings),
        // What every journal promises, for the tests of each of them.
        .target(
            name: "JournalContract", dependencies: ["PaymentRelay", "PayrelayPrimitives", crypto],
            path: "Tests/JournalContract",
            swiftSettings: settings),
        // What a relay's place is taken by where the load generator itself is looked at.
        .target(name: "BareResponder", path: "Tests/BareResponder", swiftSettings: settings),
        // A PostgreSQL server of the tests' own.
        .target(
            name: "TestPostgres", dependencies: ["TestPrograms"], path: "Tests/TestPostgres", swiftSettings: settings),
        // Programs that tests run beside themselves, and folders for what they write.
        .target(
            name: "TestPrograms", dependencies: ["CSpawn"], path: "Tests/TestPrograms", swiftSettings: settings),
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    ]
        + room("PayrelayPrimitives")
        + room("PayrelayAPI", uses: ["PayrelayPrimitives"], testsUse: ["OpenAPIDocument", yams])
        // An app builds it: it depends on nothing but the API's types and Foundation.
        + room("PayrelayClient", uses: ["PayrelayAPI", "PayrelayPrimitives"])
        + room(
            "HTTPListener",
            uses: [
                "PayrelayPrimitives", httpTypes, hummingbird, hummingbirdCore, hummingbirdHTTP2, lifecycle, logging,
                nioCore,
                nioHTTP1,
                nioHTTPTypes, nioSSL, nioTLS,
            ], testsUse: [nioEmbedded])
        + room(
            "Observability",
            uses: ["OutboundHTTP", "PayrelayPrimitives", lifecycle, logging, metrics, tracing])
        + room("OutboundHTTP", uses: ["CCurl", "CEpoll", "PayrelayPrimitives"])
        + room("ApplePayToken", uses: ["COpenSSL", "PayrelayPrimitives", crypto], testsUse: ["TokenMint", asn1, x509])
        + room("TokenMint", uses: ["ApplePayToken", "PayrelayPrimitives", asn1, crypto, cryptoExtras, x509])
        + room(
            "LoadTest", uses: ["PayrelayPrimitives", "OutboundHTTP", "PayrelayAPI", "TokenMint", histogram],
            testsUse: ["ApplePayToken", "BareResponder"])
        + room("ApplePaySession", uses: ["PayrelayPrimitives", "OutboundHTTP", x509], testsUse: ["TokenMint"])
        + room("FortAPI", uses: ["PayrelayPrimitives", "OutboundHTTP", crypto])
        + room(
            "FortSandbox",
            uses: [
                "ApplePayToken", "FortAPI", "HTTPListener", "PayrelayPrimitives", "OutboundHTTP", "TokenMint",
                httpTypes,
                hummingbird, hummingbirdTLS, lifecycle, logging, nioCore, nioSSL,
            ])
        + room(
            "PaymentRelay", uses: ["ApplePayToken", "PayrelayPrimitives", crypto, logging, tracing],
            testsUse: ["JournalContract", "TokenMint"])
        + room(
            "FortProcessor", uses: ["ApplePayToken", "FortAPI", "OutboundHTTP", "PayrelayPrimitives", "PaymentRelay"],
            testsUse: ["TokenMint"])
        + room("MerchantWebhook", uses: ["OutboundHTTP", "PaymentRelay", "PayrelayPrimitives", crypto])
        + room(
            "SQLiteJournal", uses: ["CSQLite", "PayrelayPrimitives", "PaymentRelay", grdb],
            testsUse: ["JournalContract"])
        + room(
            "PostgresJournal", uses: ["CPostgres", "PaymentRelay", "PayrelayPrimitives", crypto],
            testsUse: ["JournalContract", "TestPostgres"])
        + room(
            "RelayServer",
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "HTTPListener", "Observability",
                "OpenAPIDocument", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "WebAssets", httpTypes,
                hummingbird, lifecycle, logging,
                nioCore,
                tracing,
            ],
            testsUse: [
                "FortAPI", "FortEndpoints", "FortProcessor", "OutboundHTTP", "TokenMint", nioEmbedded, yams,
            ])
        + room(
            "FortEndpoints",
            uses: [
                "AccessControl", "FortAPI", "FortProcessor", "Observability", "OutboundHTTP", "PaymentRelay",
                "PayrelayAPI",
                "PayrelayPrimitives",
                "RelayServer", httpTypes, hummingbird, lifecycle, logging, nioCore,
            ], testsUse: ["TokenMint"])
        + room(
            "Composition",
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "CMalloc", "FortAPI", "FortEndpoints",
                "HTTPListener", "MerchantWebhook", "Observability", "OutboundHTTP", "PaymentRelay", "PostgresJournal",
                "PayrelayPrimitives", "RelayServer", "SQLiteJournal", configuration, lifecycle, logging, metrics,
                tracing,
                unixSignals, yams,
            ], testsUse: ["PayrelayAPI", "TokenMint"])
        + room(
            "AccessControl", uses: ["PayrelayPrimitives", "OutboundHTTP", crypto, cryptoExtras, logging])
)
