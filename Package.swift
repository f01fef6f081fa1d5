// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// What only the service is built of. An app that turns the trait off fetches none of it.
func service(_ product: String, from package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Service"]))
}

let argumentParser = service("ArgumentParser", from: "swift-argument-parser")
let asn1 = service("SwiftASN1", from: "swift-asn1")
let crypto = service("Crypto", from: "swift-crypto")
let cryptoExtras = service("CryptoExtras", from: "swift-crypto")
let histogram = service("Histogram", from: "hdrhistogram-swift")
let httpTypes = service("HTTPTypes", from: "swift-http-types")
let hummingbird = service("Hummingbird", from: "hummingbird")
let hummingbirdCore = service("HummingbirdCore", from: "hummingbird")
let hummingbirdHTTP2 = service("HummingbirdHTTP2", from: "hummingbird")
let hummingbirdTLS = service("HummingbirdTLS", from: "hummingbird")
let lifecycle = service("ServiceLifecycle", from: "swift-service-lifecycle")
let logging = service("Logging", from: "swift-log")
let yams = service("Yams", from: "Yams")
let metrics = service("CoreMetrics", from: "swift-metrics")
let mustache = service("Mustache", from: "swift-mustache")
let nioCore = service("NIOCore", from: "swift-nio")
let nioEmbedded = service("NIOEmbedded", from: "swift-nio")
let nioHTTP1 = service("NIOHTTP1", from: "swift-nio")
let nioHPACK = service("NIOHPACK", from: "swift-nio-http2")
let nioHTTP2 = service("NIOHTTP2", from: "swift-nio-http2")
let nioHTTPTypes = service("NIOHTTPTypes", from: "swift-nio-extras")
let nioSSL = service("NIOSSL", from: "swift-nio-ssl")
let nioTLS = service("NIOTLS", from: "swift-nio")
let tracing = service("Tracing", from: "swift-distributed-tracing")
let unixSignals = service("UnixSignals", from: "swift-service-lifecycle")
let x509 = service("X509", from: "swift-certificates")

/// A room: a library target with its tests beside it. What it may import is what stands in `uses`.
///
/// - Parameter layer: its folder in `Sources`.
func room(
    _ name: String, in layer: String? = nil, uses: [Target.Dependency] = [], testsUse: [Target.Dependency] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: uses, path: layer.map { "Sources/\($0)/\(name)" }, swiftSettings: settings),
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "TestPrograms"] + uses + testsUse,
            swiftSettings: settings),
    ]
}

/// The files of the checkout page.
let checkoutPage = [
    "checkout.css", "checkout.html", "checkout.js", "exchange.js", "icon.svg", "sheet.css",
    "simulated-apple-pay-session.js",
    "simulated-sheet.js", "trust.html", "trust.js",
]

/// The files of the operators' console.
let consolePages = [
    "attention.mustache", "code.mustache", "codes.mustache", "configuration.mustache", "console.css", "console.js",
    "continue.mustache", "error.mustache", "health.mustache", "icon.svg", "layout.mustache", "live.js", "live.mustache",
    "login.mustache", "operation.mustache",
    "payment.mustache", "payments.mustache", "sandbox.mustache", "settlement.mustache", "signature.mustache",
    "token.mustache",
]

let package = Package(
    name: "payrelay",
    // What the client library asks for. The service itself runs on Linux.
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "payrelay", targets: ["payrelay"]),
        // For apps.
        .library(name: "PayrelayClient", targets: ["PayrelayClient"]),
        .library(name: "PayrelayFortSDK", targets: ["PayrelayFortSDK"]),
        // For Benchmarks/ and Fuzz/, which are packages of their own.
        .library(name: "ApplePayToken", targets: ["ApplePayToken"]),
        .library(name: "BareResponder", targets: ["BareResponder"]),
        .library(name: "CMSReference", targets: ["CMSReference"]),
        .library(name: "FortAPI", targets: ["FortAPI"]),
        .library(name: "FortProcessor", targets: ["FortProcessor"]),
        .library(name: "PayrelayPrimitives", targets: ["PayrelayPrimitives"]),
        .library(name: "OutboundHTTP", targets: ["OutboundHTTP"]),
        .library(name: "PaymentRelay", targets: ["PaymentRelay"]),
        .library(name: "PostgresDriver", targets: ["PostgresDriver"]),
        .library(name: "SQLJournal", targets: ["SQLJournal"]),
        .library(name: "SQLiteDriver", targets: ["SQLiteDriver"]),
        .library(name: "TestPostgres", targets: ["TestPostgres"]),
        .library(name: "TestPrograms", targets: ["TestPrograms"]),
        .library(name: "TokenMint", targets: ["TokenMint"]),
    ],
    traits: [
        .trait(name: "Service", description: "The service. An app that uses the client alone goes without."),
        .default(enabledTraits: ["Service"]),
    ],
    // Up to the next minor version where the code depends on a package's inside: on the order of handlers, on when a frame is
    // written, on how a pool sets its connections.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.15.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", .upToNextMinor(from: "1.46.0")),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
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
                "AccessControl", "ApplePaySession", "ApplePayToken", "CheckoutPage", "Composition", "Console", "Doctor",
                "FortAPI",
                "FortSandbox",
                "HTTPListener", "LoadTest",
                "Observability", "OpenAPIDocument", "OutboundHTTP", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives",
                "RelayServer",
                "TokenMint", "TransactionReport",
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
                "ApplePayToken", "FortAPI", "FortSandbox", "JournalContract", "OrderTokenExample", "PayrelayAPI",
                "PayrelayClient", "PaymentRelay", "PayrelayPrimitives", "OutboundHTTP", "SQLJournal", "SQLiteDriver",
                "ShopCheckout",
                "TestPostgres",
                "TestPrograms", "TokenMint",
                "payrelay", asn1,
                crypto, hummingbird, logging, nioCore, x509,
            ], exclude: ["FortInPython/fort.py"],
            swiftSettings: settings),
        // What our pages for people have in common.
        .target(name: "Charts", resources: [.embedInCode("page.css")], swiftSettings: settings),
        // A target of its own, so that the document's bytes are compiled only when it changes.
        .target(
            name: "OpenAPIDocument", resources: [.embedInCode("openapi.yaml")], swiftSettings: settings),
        // The same for what checkout pages load.
        .target(
            name: "WebAssets", resources: [.embedInCode("payrelay.js"), .embedInCode("payrelay.d.ts")],
            swiftSettings: settings),
        // The pages that `payrelay dev` serves, compiled into the binary.
        .target(
            name: "CheckoutPage",
            dependencies: [
                "AccessControl", "ApplePayToken", "FortAPI", "FortSandbox", "HTTPListener", "PayrelayAPI",
                "PayrelayPrimitives", "RelayServer", "TokenMint", httpTypes, hummingbird,
            ],
            resources: checkoutPage.map { .embedInCode("Page/\($0)") }, swiftSettings: settings),
        .testTarget(
            name: "CheckoutPageTests",
            dependencies: ["CheckoutPage", "FortAPI", "FortSandbox", "PayrelayPrimitives", "TokenMint"],
            swiftSettings: settings),
        // The operators' pages, compiled into the binary.
        .target(
            name: "Console",
            dependencies: [
                "AccessControl", "ApplePayToken", "Charts", "FortAPI", "HTTPListener", "Observability", "PaymentRelay",
                "PayrelayAPI",
                "PayrelayPrimitives", "RelayServer", crypto, httpTypes, hummingbird, lifecycle, logging, mustache,
                nioCore,
            ],
            resources: consolePages.map { .embedInCode("Page/\($0)") }, swiftSettings: settings),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "AccessControl", "ApplePayToken", "Console", "FortAPI", "HTTPListener", "JournalContract",
                "Observability", "PaymentRelay",
                "PayrelayPrimitives", "RelayServer", "TokenMint", httpTypes, hummingbird, logging, mustache, nioCore,
                nioEmbedded, metrics,
            ],
            swiftSettings: settings),
        // Its tests are in Tests/PassKit.
        .target(
            name: "PayrelayFortSDK", dependencies: ["PayrelayAPI", "PayrelayClient", "PayrelayPrimitives"],
            swiftSettings: settings),
        // What every journal promises, for the tests of each of them.
        .target(
            name: "JournalContract", dependencies: ["PaymentRelay", "PayrelayPrimitives", "TestPrograms", crypto],
            path: "Tests/JournalContract",
            swiftSettings: settings),
        // What a relay's place is taken by where the load generator itself is looked at.
        .target(name: "BareResponder", path: "Tests/BareResponder", swiftSettings: settings),
        // A PostgreSQL server of the tests' own.
        .target(
            name: "TestPostgres", dependencies: ["TestPrograms"], path: "Tests/TestPostgres", swiftSettings: settings),
        // OpenSSL's own reading and verification of a token's message.
        .target(
            name: "CMSReference", path: "Tests/CMSReference", linkerSettings: [.linkedLibrary("crypto")]),
        // The tables in the documents of FORT's mobile SDK, where they lie beside the project.
        .target(name: "FortDocuments", path: "Tests/FortDocuments", swiftSettings: settings),
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
                nioHPACK, nioHTTP1, nioHTTP2, nioHTTPTypes, nioSSL, nioTLS,
            ], testsUse: [nioEmbedded])
        + room(
            "Observability",
            uses: ["OutboundHTTP", "PayrelayPrimitives", lifecycle, logging, metrics, tracing])
        + room("OutboundHTTP", uses: ["CCurl", "CEpoll", "PayrelayPrimitives"])
        + room(
            "ApplePayToken", uses: ["COpenSSL", "PayrelayPrimitives", crypto],
            testsUse: ["CMSReference", "TokenMint", asn1, x509])
        + room("TokenMint", uses: ["ApplePayToken", "PayrelayPrimitives", asn1, crypto, cryptoExtras, x509])
        + room(
            "LoadTest", uses: ["Charts", "PayrelayPrimitives", "OutboundHTTP", "PayrelayAPI", "TokenMint", histogram],
            testsUse: ["ApplePayToken", "BareResponder"])
        + room("ApplePaySession", uses: ["PayrelayPrimitives", "OutboundHTTP", x509], testsUse: ["TokenMint"])
        + room(
            "FortAPI", uses: ["ApplePayToken", "PayrelayPrimitives", "OutboundHTTP", crypto],
            testsUse: ["FortDocuments"])
        + room(
            "FortSandbox",
            uses: [
                "ApplePayToken", "FortAPI", "HTTPListener", "PayrelayPrimitives", "OutboundHTTP", "TokenMint",
                httpTypes,
                hummingbird, hummingbirdTLS, lifecycle, logging, nioCore, nioSSL,
            ], testsUse: ["FortDocuments"])
        + room(
            "PaymentRelay", uses: ["ApplePayToken", "PayrelayPrimitives", crypto, logging, tracing],
            testsUse: ["JournalContract", "TokenMint"])
        + room(
            "FortProcessor", uses: ["ApplePayToken", "FortAPI", "OutboundHTTP", "PayrelayPrimitives", "PaymentRelay"],
            testsUse: ["TokenMint"])
        + room("MerchantWebhook", uses: ["OutboundHTTP", "PaymentRelay", "PayrelayPrimitives", crypto])
        + room(
            "SQLJournal", in: "Journals", uses: ["PaymentRelay", "PayrelayPrimitives"],
            testsUse: ["JournalContract", "PostgresDriver", "SQLiteDriver", "TestPostgres"])
        + room(
            "SQLiteDriver", in: "Journals", uses: ["CSQLite", "PayrelayPrimitives", "PaymentRelay", "SQLJournal"],
            testsUse: ["JournalContract"])
        + room(
            "PostgresDriver", in: "Journals", uses: ["CPostgres", "PaymentRelay", "PayrelayPrimitives", "SQLJournal"],
            testsUse: ["JournalContract", "TestPostgres"])
        + room(
            "TransactionReport",
            uses: ["FortAPI", "PaymentRelay", "PayrelayPrimitives", "SQLJournal", "SQLiteDriver"],
            testsUse: ["JournalContract"])
        + room(
            "RelayServer",
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "HTTPListener", "Observability",
                "OpenAPIDocument", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "WebAssets", httpTypes,
                hummingbird, lifecycle, logging, nioCore, tracing,
            ],
            testsUse: [
                "FortAPI", "FortEndpoints", "FortProcessor", "JournalContract", "OutboundHTTP", "TokenMint",
                nioEmbedded,
                yams,
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
                "AccessControl", "ApplePaySession", "ApplePayToken", "CMalloc", "Console", "FortAPI", "FortEndpoints",
                "FortSandbox",
                "HTTPListener", "MerchantWebhook", "Observability", "OutboundHTTP", "PaymentRelay", "PostgresDriver",
                "PayrelayPrimitives", "RelayServer", "SQLJournal", "SQLiteDriver", lifecycle, logging, metrics,
                tracing,
                unixSignals, yams,
            ], testsUse: ["PayrelayAPI", "TokenMint"])
        + room(
            "Doctor",
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "Composition", "FortAPI", "HTTPListener",
                "OutboundHTTP",
                "PaymentRelay", "PayrelayPrimitives", "RelayServer",
            ], testsUse: ["TokenMint"])
        + room(
            "AccessControl",
            uses: ["PaymentRelay", "PayrelayPrimitives", "OutboundHTTP", crypto, cryptoExtras, logging])
)
