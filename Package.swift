// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// A product that only the service needs. An app that turns the trait off does not fetch its package.
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
let hummingbirdTLS = service("HummingbirdTLS", from: "hummingbird")
let lifecycle = service("ServiceLifecycle", from: "swift-service-lifecycle")
let logging = service("Logging", from: "swift-log")
let yams = service("Yams", from: "Yams")
let metrics = service("CoreMetrics", from: "swift-metrics")
let mustache = service("Mustache", from: "swift-mustache")
let nioCore = service("NIOCore", from: "swift-nio")
let nioEmbedded = service("NIOEmbedded", from: "swift-nio")
let nioPosix = service("NIOPosix", from: "swift-nio")
let nioHTTP1 = service("NIOHTTP1", from: "swift-nio")
let nioHTTPTypes = service("NIOHTTPTypes", from: "swift-nio-extras")
let nioHTTPTypesHTTP1 = service("NIOHTTPTypesHTTP1", from: "swift-nio-extras")
let nioSSL = service("NIOSSL", from: "swift-nio-ssl")
let tracing = service("Tracing", from: "swift-distributed-tracing")
let unixSignals = service("UnixSignals", from: "swift-service-lifecycle")
let x509 = service("X509", from: "swift-certificates")

/// A folder of `Sources`. `LayersTests` lists the layers that each layer may import, and checks the sources: a layer imports
/// only lower layers.
enum Layer: String {
    case foundations = "Foundations"
    case token = "Token"
    case core = "Core"
    case journals = "Journals"
    case server = "Server"
    case gateways = "Gateways"
    case clients = "Clients"
    case program = "Program"
}

/// Makes a library target.
func library(
    _ name: String, in layer: Layer, uses: [Target.Dependency] = [], embeds: [String] = [], copies: [String] = []
) -> Target {
    .target(
        name: name, dependencies: uses, path: "Sources/\(layer.rawValue)/\(name)",
        resources: embeds.map { .embedInCode($0) } + copies.map { .copy($0) }, swiftSettings: settings)
}

/// Makes a library target and its test target, whose tests are in the same layer of `Tests`. `uses` lists the targets that the
/// library may import.
func room(
    _ name: String, in layer: Layer, uses: [Target.Dependency] = [], embeds: [String] = [],
    testsUse: [Target.Dependency] = []
) -> [Target] {
    [
        library(name, in: layer, uses: uses, embeds: embeds),
        .testTarget(
            name: "\(name)Tests", dependencies: [.byName(name: name), "TestPrograms"] + uses + testsUse,
            path: "Tests/\(layer.rawValue)/\(name)Tests", swiftSettings: settings),
    ]
}

/// Joins groups of targets into one array. The type checker would take seconds for a chain of `+` over so many literals.
func targets(_ groups: [Target]...) -> [Target] { groups.flatMap { $0 } }

/// Makes a target for a library of the system.
func system(_ name: String, package: String? = nil, debian: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/\(Layer.foundations.rawValue)/\(name)", pkgConfig: package,
        providers: debian.map { [.apt([$0])] })
}

/// The files of the checkout page.
let checkoutPage = [
    "apple-pay.js", "checkout.css", "checkout.html", "checkout.js", "exchange.js", "icon.svg", "sheet.css",
    "simulated-apple-pay-session.js",
    "simulated-sheet.js", "trust.html", "trust.js",
]

/// The files of the operators' console.
let consolePages = [
    "attention.mustache", "changes.mustache", "configuration.mustache", "console.css", "console.js",
    "continue.mustache", "customer.mustache",
    "error.mustache", "forget.mustache", "health.mustache", "icon.svg", "layout.mustache", "live.js", "live.mustache",
    "login.mustache", "operation.mustache", "payment.mustache", "payments.mustache", "rows.mustache",
    "settlement.mustache", "take.mustache", "taking.mustache", "token.mustache", "totals.mustache",
]

let package = Package(
    name: "payrelay",
    // The minimum that the client library needs. The service itself runs on Linux.
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "payrelay", targets: ["payrelay"]),
        .executable(name: "payrelay-dev", targets: ["payrelay-dev"]),
        // Libraries for apps.
        .library(name: "PayrelayClient", targets: ["PayrelayClient"]),
        .library(name: "PayrelayFortSDK", targets: ["PayrelayFortSDK"]),
        .library(name: "PayrelayPortmoneSDK", targets: ["PayrelayPortmoneSDK"]),
        // Libraries for Benchmarks/ and Fuzz/, which are separate packages.
        .library(name: "ApplePayToken", targets: ["ApplePayToken"]),
        .library(name: "BareResponder", targets: ["BareResponder"]),
        .library(name: "CMSReference", targets: ["CMSReference"]),
        .library(name: "FortAPI", targets: ["FortAPI"]),
        .library(name: "FortModule", targets: ["FortModule"]),
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
    // A dependency is limited to the current minor version if the code relies on its internals: on the order of handlers, on
    // when a frame is written, on how a pool sets up its connections.
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
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1")),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    ],
    targets: [foundations, token, core, journals, server, gateways, clients, program, forTests].flatMap { $0 },
    // C23, for `#embed`.
    cLanguageStandard: .c2x
)

var foundations: [Target] {
    targets(
        [
            system("CCurl", package: "libcurl", debian: "libcurl4-openssl-dev"), system("CEpoll"), system("CMalloc"),
            system("COpenSSL", package: "openssl", debian: "libssl-dev"),
            system("CPostgres", package: "libpq", debian: "libpq-dev"),
            system("CSQLite", package: "sqlite3", debian: "libsqlite3-dev"),
            // Shared parts of our pages for people.
            library("Charts", in: .foundations, embeds: ["page.css"]),
            // Shared parts of the programs' commands: they read files, print, and end with a status.
            library(
                "CommandLineParts", in: .foundations,
                uses: [
                    "Observability", "PayrelayAPI", "PayrelayPrimitives", argumentParser, lifecycle, logging,
                    unixSignals,
                ]),
        ],
        room("PayrelayPrimitives", in: .foundations),
        room("UnderWay", in: .foundations),
        room("PayrelayAPI", in: .foundations, uses: ["PayrelayPrimitives"], testsUse: ["OpenAPIDocument", yams]),
        room("OutboundHTTP", in: .foundations, uses: ["CCurl", "CEpoll", "PayrelayPrimitives", "UnderWay"]),
        room(
            "Observability", in: .foundations,
            uses: ["OutboundHTTP", "PayrelayPrimitives", lifecycle, logging, metrics, tracing]))
}

var token: [Target] {
    targets(
        room(
            "ApplePayToken", in: .token, uses: ["COpenSSL", "PayrelayPrimitives", crypto],
            testsUse: ["CMSReference", "TokenMint", asn1, x509]),
        room(
            "ApplePaySession", in: .token, uses: ["PayrelayPrimitives", "OutboundHTTP", x509], testsUse: ["TokenMint"]),
        room(
            "TokenMint", in: .token, uses: ["ApplePayToken", "PayrelayPrimitives", asn1, crypto, cryptoExtras, x509]))
}

var core: [Target] {
    room(
        "PaymentRelay", in: .core, uses: ["UnderWay", "ApplePayToken", "PayrelayPrimitives", crypto, logging, tracing],
        testsUse: ["JournalContract", "TokenMint"])
}

var journals: [Target] {
    targets(
        room(
            "SQLJournal", in: .journals, uses: ["PaymentRelay", "PayrelayPrimitives", crypto],
            testsUse: ["JournalContract", "PostgresDriver", "SQLiteDriver", "TestPostgres"]),
        room(
            "SQLiteDriver", in: .journals, uses: ["CSQLite", "PayrelayPrimitives", "PaymentRelay", "SQLJournal"],
            testsUse: ["JournalContract"]),
        room(
            "PostgresDriver", in: .journals, uses: ["CPostgres", "PaymentRelay", "PayrelayPrimitives", "SQLJournal"],
            testsUse: ["JournalContract", "TestPostgres"]))
}

var server: [Target] {
    targets(
        [
            .target(name: "CServedFiles", path: "Sources/Server/CServedFiles"),
            library("OpenAPIDocument", in: .server, uses: ["CServedFiles"]),
            .target(
                name: "WebAssets", dependencies: ["CServedFiles", "PayrelayPrimitives", crypto],
                path: "Sources/Server/WebAssets",
                exclude: ["payrelay.d.ts", "payrelay.js", "payrelay.js.gz"], swiftSettings: settings),
        ],
        room(
            "HTTPListener", in: .server,
            uses: [
                "UnderWay",
                "PayrelayPrimitives", httpTypes, hummingbird, hummingbirdCore, lifecycle, logging, nioCore, nioHTTP1,
                nioHTTPTypes, nioHTTPTypesHTTP1, nioPosix, nioSSL,
            ], testsUse: [nioEmbedded, nioPosix]),
        room(
            "AccessControl", in: .server,
            uses: ["PaymentRelay", "PayrelayPrimitives", "OutboundHTTP", crypto, cryptoExtras, logging]),
        room(
            "MerchantWebhook", in: .server, uses: ["OutboundHTTP", "PaymentRelay", "PayrelayPrimitives", crypto]),
        room(
            "RelayServer", in: .server,
            uses: [
                "UnderWay",
                "AccessControl", "ApplePaySession", "ApplePayToken", "HTTPListener", "Observability",
                "OpenAPIDocument", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "WebAssets", httpTypes,
                hummingbird, lifecycle, logging, nioCore, nioHTTP1, tracing,
            ],
            testsUse: [
                "FortAPI", "FortModule", "JournalContract", "Meridian", "OutboundHTTP", "PortmoneModule",
                "GatewayModule", "SandboxParts", "TokenMint", nioEmbedded, yams,
            ]),
        // The operators' pages.
        room(
            "Console", in: .server,
            uses: [
                "AccessControl", "ApplePayToken", "Charts", "HTTPListener", "Observability", "PaymentRelay",
                "PayrelayAPI", "PayrelayPrimitives", "RelayServer", "UnderWay", crypto, httpTypes, logging, mustache,
                nioCore,
            ], embeds: consolePages.map { "Page/\($0)" },
            testsUse: [
                "FortAPI", "FortModule", "FortSandbox", "JournalContract", "OutboundHTTP", "PortmoneSandbox",
                "GatewayModule", "SandboxParts", "TokenMint",
                hummingbird, nioEmbedded, metrics,
            ]),
        // The kinds of settings and their reader. Each part of the program declares its own settings.
        [library("Settings", in: .server, uses: ["PayrelayPrimitives", yams])],
        // The interface of a payment gateway's module, of which the service is composed.
        room(
            "GatewayModule", in: .server,
            uses: [
                "ApplePayToken", "Console", "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives",
                "RelayServer", "Settings", argumentParser, lifecycle, logging,
            ]))
}

var gateways: [Target] {
    targets(
        room(
            "FortAPI", in: .gateways,
            uses: ["UnderWay", "ApplePayToken", "PayrelayPrimitives", "OutboundHTTP", crypto],
            testsUse: ["FortDocuments"]),
        room(
            "FortModule", in: .gateways,
            uses: [
                "AccessControl", "ApplePayToken", "CommandLineParts", "Console", "FortAPI", "HTTPListener",
                "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives",
                "GatewayModule", "RelayServer", "Settings", argumentParser, httpTypes, lifecycle,
                logging, nioCore,
            ], embeds: ["code.mustache", "codes.mustache", "signature.mustache"].map { "Page/\($0)" },
            testsUse: ["FortSandbox", "GatewaySchedule", "SandboxParts", "TokenMint"]),
        room(
            "FortSandbox", in: .gateways,
            uses: [
                "ApplePayToken", "FortAPI", "PayrelayPrimitives", "OutboundHTTP", "SandboxParts", "TokenMint",
                httpTypes,
                hummingbird, nioCore,
            ], testsUse: ["FortDocuments", "SandboxTestParts"]),
        room(
            "PortmoneAPI", in: .gateways,
            uses: ["ApplePayToken", "OutboundHTTP", "PayrelayAPI", "PayrelayPrimitives"]),
        room(
            "PortmoneModule", in: .gateways,
            uses: [
                "AccessControl", "ApplePayToken", "Console", "HTTPListener", "Observability", "OutboundHTTP",
                "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "PortmoneAPI", "GatewayModule", "RelayServer",
                "Settings", httpTypes, lifecycle, logging,
            ], testsUse: ["GatewaySchedule", "PortmoneSandbox", "SandboxParts", "TokenMint"]),
        room(
            "PortmoneSandbox", in: .gateways,
            uses: [
                "ApplePayToken", "OutboundHTTP", "PayrelayPrimitives", "SandboxParts", "TokenMint", crypto, httpTypes,
                hummingbird, nioCore,
            ], testsUse: ["FortAPI", "FortSandbox", "SandboxTestParts"]),
        // Shared parts of the gateways' sandboxes, and Apple's session host.
        room(
            "SandboxParts", in: .gateways,
            uses: [
                "AccessControl", "Console", "HTTPListener", "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives",
                "GatewayModule", "Settings", "TokenMint", httpTypes, hummingbird, hummingbirdTLS, lifecycle, logging,
                nioCore, nioSSL,
            ], embeds: ["Page/sandbox.mustache"], testsUse: ["SandboxTestParts"]),
        [
            // A gateway's sandbox together with its module, for development.
            library(
                "FortDevelopment", in: .gateways,
                uses: [
                    "FortAPI", "FortModule", "FortSandbox", "OutboundHTTP", "PayrelayPrimitives", "GatewayModule",
                    "SandboxParts", "Settings",
                ]),
            library(
                "PortmoneDevelopment", in: .gateways,
                uses: [
                    "OutboundHTTP", "PayrelayPrimitives", "PortmoneAPI", "PortmoneModule", "PortmoneSandbox",
                    "GatewayModule", "SandboxParts", "Settings", "TokenMint",
                ]),
            // This target has no tests of its own: PayrelayPortmoneSDK's tests cover it.
            library(
                "MasterpassSandbox", in: .gateways,
                uses: ["HTTPListener", "PayrelayPrimitives", httpTypes, hummingbird, lifecycle, logging, nioCore]),
        ])
}

// Libraries for apps. They depend only on the API's types and Foundation.
var clients: [Target] {
    targets(
        [
            // Its tests are in Tests/PassKit.
            library(
                "PayrelayFortSDK", in: .clients, uses: ["PayrelayAPI", "PayrelayClient", "PayrelayPrimitives"],
                // Apple demands this file of a library that uses `UserDefaults`.
                copies: ["PrivacyInfo.xcprivacy"])
        ],
        room("PayrelayClient", in: .clients, uses: ["PayrelayAPI", "PayrelayPrimitives"]),
        room(
            "PayrelayPortmoneSDK", in: .clients, uses: ["PayrelayClient", "PayrelayPrimitives"],
            testsUse: ["MasterpassSandbox", lifecycle, logging]))
}

var program: [Target] {
    targets(
        [
            // The relay, and commands for the people who run it.
            .executableTarget(
                name: "payrelay",
                dependencies: [
                    "AccessControl", "ApplePaySession", "ApplePayToken", "CommandLineParts", "Composition", "Console",
                    "Doctor", "GatewayModule", "HTTPListener", "MerchantWebhook", "Observability", "OpenAPIDocument",
                    "OutboundHTTP", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "RelayServer", "SQLJournal",
                    "Settings", "TransactionReport", argumentParser, lifecycle, logging,
                ], path: "Sources/\(Layer.program.rawValue)/payrelay", swiftSettings: settings),
            // Tools for developers that must not run in production: sandboxes, the load test, and tokens of the sandbox.
            .executableTarget(
                name: "payrelay-dev",
                dependencies: [
                    "AccessControl", "ApplePaySession", "ApplePayToken", "CheckoutPage", "CommandLineParts",
                    "Composition", "Console", "FortDevelopment", "GatewayModule", "HTTPListener", "LoadTest",
                    "MasterpassSandbox", "MerchantWebhook", "Observability", "OutboundHTTP", "PaymentRelay",
                    "PayrelayAPI", "PayrelayPrimitives", "PortmoneDevelopment", "RelayServer", "SandboxParts",
                    "Settings", "TokenMint", argumentParser, lifecycle, logging,
                ], path: "Sources/\(Layer.program.rawValue)/payrelay-dev", swiftSettings: settings),
        ],
        room(
            "Composition", in: .program,
            uses: [
                "UnderWay",
                "AccessControl", "ApplePaySession", "ApplePayToken", "CMalloc", "CommandLineParts", "Console",
                "FortModule", "HTTPListener",
                "MerchantWebhook", "Observability", "OutboundHTTP", "PaymentRelay", "PortmoneModule", "PostgresDriver",
                "PayrelayPrimitives", "GatewayModule", "RelayServer", "SQLJournal", "SQLiteDriver", "Settings",
                argumentParser, lifecycle, logging, metrics, tracing, unixSignals,
            ], testsUse: ["FortAPI", "PayrelayAPI", "TokenMint", yams]),
        room(
            "Doctor", in: .program,
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "Composition", "HTTPListener", "MerchantWebhook",
                "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives", "GatewayModule", "RelayServer", logging,
            ], testsUse: ["Settings", "TokenMint"]),
        room(
            "LoadTest", in: .program,
            uses: [
                "Charts", "CommandLineParts", "PayrelayPrimitives", "OutboundHTTP", "PayrelayAPI", "SandboxParts",
                "TokenMint", histogram,
            ],
            testsUse: ["ApplePayToken", "BareResponder"]),
        room(
            "TransactionReport", in: .program,
            uses: [
                "CommandLineParts", "PaymentRelay", "PayrelayPrimitives", "GatewayModule", "SQLJournal",
                "SQLiteDriver",
            ],
            testsUse: ["FortAPI", "FortModule", "JournalContract"]),
        // The pages that `payrelay-dev` serves.
        room(
            "CheckoutPage", in: .program,
            uses: [
                "AccessControl", "ApplePayToken", "HTTPListener", "PayrelayAPI", "PayrelayPrimitives", "RelayServer",
                "SandboxParts", "TokenMint", httpTypes,
            ], embeds: checkoutPage.map { "Page/\($0)" }))
}

var forTests: [Target] {
    [
        // Examples that are compiled so that tests can run them: an app without its views, and a merchant's backend.
        .target(
            name: "ShopCheckout", dependencies: ["PayrelayClient"], path: "Examples/SwiftUIShop/Checkout",
            swiftSettings: settings),
        .testTarget(
            name: "ShopCheckoutTests", dependencies: ["PayrelayClient", "ShopCheckout"],
            path: "Tests/Clients/ShopCheckoutTests", swiftSettings: settings),
        .executableTarget(
            name: "OrderTokenExample", dependencies: [crypto], path: "Examples/order-tokens/swift",
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ApplePayToken", "FortAPI", "FortSandbox", "JournalContract", "OrderTokenExample", "PayrelayAPI",
                "PayrelayClient", "PaymentRelay", "PayrelayPrimitives", "OutboundHTTP", "SQLJournal", "SQLiteDriver",
                "ShopCheckout", "TestPostgres", "TestPrograms", "TokenMint", "payrelay", "payrelay-dev", asn1, crypto,
                x509,
            ], path: "Tests/Program/EndToEndTests", exclude: ["FortInPython/fort.py", "PortmoneInPython/portmone.py"],
            swiftSettings: settings),
        // The promises of every journal, for the tests of each journal.
        .target(
            name: "JournalContract", dependencies: ["PaymentRelay", "PayrelayPrimitives", "TestPrograms", crypto],
            path: "Tests/Parts/JournalContract", swiftSettings: settings),
        // A relay, a gateway's module and its sandbox over a network that corrupts messages, for the tests of each gateway.
        .target(
            name: "GatewaySchedule",
            dependencies: [
                "ApplePayToken", "JournalContract", "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives",
                "SandboxParts", "TestPrograms", "TokenMint", logging,
            ], path: "Tests/Parts/GatewaySchedule", swiftSettings: settings),
        // A third gateway, in the shape of Stripe's, which only tests have.
        .target(
            name: "Meridian",
            dependencies: [
                "ApplePayToken", "Console", "HTTPListener", "Observability", "OutboundHTTP", "PaymentRelay",
                "PayrelayAPI", "PayrelayPrimitives", "GatewayModule", "RelayServer", "SandboxParts", "Settings",
                crypto, httpTypes, hummingbird, lifecycle, logging, nioCore,
            ], path: "Tests/Parts/Meridian", swiftSettings: settings),
        // A server that takes the relay's place in tests of the load generator.
        .target(name: "BareResponder", path: "Tests/Parts/BareResponder", swiftSettings: settings),
        // Shared parts of the sandboxes' tests.
        .target(
            name: "SandboxTestParts", dependencies: ["PayrelayPrimitives", "TestPrograms", lifecycle, logging],
            path: "Tests/Parts/SandboxTestParts", swiftSettings: settings),
        // A PostgreSQL server for tests.
        .target(
            name: "TestPostgres", dependencies: ["PostgresDriver", "TestPrograms"], path: "Tests/Parts/TestPostgres",
            swiftSettings: settings),
        // OpenSSL's own parsing and verification of a token's message.
        .target(
            name: "CMSReference", path: "Tests/Parts/CMSReference", linkerSettings: [.linkedLibrary("crypto")]),
        // The tables in the documents of FORT's mobile SDK, if they lie beside the project.
        .target(name: "FortDocuments", path: "Tests/Parts/FortDocuments", swiftSettings: settings),
        // Programs that tests run beside themselves, and folders for the programs' files.
        .target(
            name: "TestPrograms", dependencies: ["CSpawn"], path: "Tests/Parts/TestPrograms", swiftSettings: settings),
        .systemLibrary(name: "CSpawn", path: "Tests/Parts/CSpawn"),
    ]
}
