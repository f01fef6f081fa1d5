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
/// only lower layers. The layer `Gateways` has a folder for each gateway, and one for the parts that gateways share.
enum Layer: String {
    case foundations = "Foundations"
    case token = "Token"
    case core = "Core"
    case journals = "Journals"
    case server = "Server"
    case gatewayKit = "Gateways/Kit"
    case fort = "Gateways/Fort"
    case portmone = "Gateways/Portmone"
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
func libraryWithTests(
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

/// Makes one target of the tests of several libraries. Each library's tests have a folder in `Tests/<folder>`.
func tests(
    _ name: String, in folder: String, excluding excluded: [String] = [], use dependencies: [Target.Dependency]
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestPrograms"], path: "Tests/\(folder)", exclude: excluded,
        swiftSettings: settings)
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
        .trait(name: "Service", description: "The service. An app that uses only the client does without it."),
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
            system("CCurl", package: "libcurl", debian: "libcurl4-openssl-dev"),
            // Functions of Linux and glibc that Swift's Glibc module leaves out.
            system("CLinux"),
            system("COpenSSL", package: "openssl", debian: "libssl-dev"),
            system("CPostgres", package: "libpq", debian: "libpq-dev"),
            system("CSQLite", package: "sqlite3", debian: "libsqlite3-dev"),
            library("PayrelayPrimitives", in: .foundations),
            library("PayrelayAPI", in: .foundations, uses: ["PayrelayPrimitives"]),
            // This target is not a part of `PayrelayPrimitives`, because apps build that for systems without `Mutex`.
            library("UnderWay", in: .foundations),
            library(
                "Observability", in: .foundations,
                uses: ["OutboundHTTP", "PayrelayPrimitives", lifecycle, logging, metrics, tracing],
                embeds: ["Charts/page.css"]),
            // Shared parts of the programs' commands: they read files, print, and end with a status.
            library(
                "CommandLineParts", in: .foundations,
                uses: [
                    "Observability", "PayrelayAPI", "PayrelayPrimitives", argumentParser, lifecycle, logging,
                    unixSignals,
                ]),
            tests(
                "FoundationsTests", in: "Foundations", excluding: ["OutboundHTTPTests"],
                use: [
                    "Observability", "OutboundHTTP", "PayrelayAPI", "PayrelayPrimitives", "ServedFiles", "UnderWay",
                    lifecycle, logging, metrics, tracing, yams,
                ]),
        ],
        // The tests of this library open sockets. `Tests/run` runs them with the other tests that do.
        libraryWithTests(
            "OutboundHTTP", in: .foundations, uses: ["CCurl", "CLinux", "PayrelayPrimitives", "UnderWay"]))
}

var token: [Target] {
    [
        library("ApplePayToken", in: .token, uses: ["COpenSSL", "PayrelayPrimitives", crypto]),
        library("ApplePaySession", in: .token, uses: ["PayrelayPrimitives", "OutboundHTTP", x509]),
        library(
            "TokenMint", in: .token, uses: ["ApplePayToken", "PayrelayPrimitives", asn1, crypto, cryptoExtras, x509]),
        tests(
            "TokenTests", in: "Token",
            use: [
                "ApplePaySession", "ApplePayToken", "CMSReference", "COpenSSL", "OutboundHTTP", "PayrelayPrimitives",
                "TokenMint", asn1, crypto, cryptoExtras, x509,
            ]),
    ]
}

var core: [Target] {
    libraryWithTests(
        "PaymentRelay", in: .core, uses: ["UnderWay", "ApplePayToken", "PayrelayPrimitives", crypto, logging, tracing],
        testsUse: ["JournalContract", "TokenMint"])
}

var journals: [Target] {
    targets(
        libraryWithTests(
            "SQLJournal", in: .journals, uses: ["PaymentRelay", "PayrelayPrimitives", crypto],
            testsUse: ["JournalContract", "PostgresDriver", "SQLiteDriver", "TestPostgres"]),
        libraryWithTests(
            "SQLiteDriver", in: .journals, uses: ["CSQLite", "PayrelayPrimitives", "PaymentRelay", "SQLJournal"],
            testsUse: ["JournalContract"]),
        libraryWithTests(
            "PostgresDriver", in: .journals, uses: ["CPostgres", "PaymentRelay", "PayrelayPrimitives", "SQLJournal"],
            testsUse: ["JournalContract", "TestPostgres"]))
}

var server: [Target] {
    targets(
        [
            .target(name: "CServedFiles", path: "Sources/Server/CServedFiles"),
            .target(
                name: "ServedFiles", dependencies: ["CServedFiles", "PayrelayPrimitives", crypto],
                path: "Sources/Server/ServedFiles",
                exclude: ["payrelay.d.ts", "payrelay.js", "payrelay.js.gz"], swiftSettings: settings),
        ],
        libraryWithTests(
            "HTTPListener", in: .server,
            uses: [
                "PayrelayPrimitives", "UnderWay", httpTypes, hummingbird, hummingbirdCore, lifecycle, logging, nioCore,
                nioHTTP1, nioHTTPTypes, nioHTTPTypesHTTP1, nioPosix, nioSSL,
            ], testsUse: [nioEmbedded, nioPosix]),
        libraryWithTests(
            "AccessControl", in: .server,
            uses: ["PaymentRelay", "PayrelayPrimitives", "OutboundHTTP", crypto, cryptoExtras, logging]),
        libraryWithTests(
            "RelayServer", in: .server,
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "HTTPListener", "Observability", "OutboundHTTP",
                "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "ServedFiles", "UnderWay", crypto, httpTypes,
                hummingbird, lifecycle, logging, nioCore, nioHTTP1, tracing,
            ],
            testsUse: [
                "FortAPI", "FortModule", "JournalContract", "Meridian", "PortmoneModule", "GatewayModule",
                "SandboxParts", "TokenMint", nioEmbedded, yams,
            ]),
        // The operators' pages.
        libraryWithTests(
            "Console", in: .server,
            uses: [
                "AccessControl", "ApplePayToken", "HTTPListener", "Observability", "PaymentRelay", "PayrelayAPI",
                "PayrelayPrimitives", "RelayServer", "UnderWay", crypto, httpTypes, logging, mustache, nioCore,
            ], embeds: consolePages.map { "Page/\($0)" },
            testsUse: [
                "FortAPI", "FortModule", "FortSandbox", "JournalContract", "OutboundHTTP", "PortmoneSandbox",
                "GatewayModule", "SandboxParts", "TokenMint",
                hummingbird, nioEmbedded, metrics,
            ]),
        // The kinds of settings and their reader. Each part of the program declares its own settings.
        [library("Settings", in: .server, uses: ["PayrelayPrimitives", yams])])
}

var gateways: [Target] {
    targets(
        [
            // The protocol of a payment gateway's module, of which the service is composed.
            library(
                "GatewayModule", in: .gatewayKit,
                uses: [
                    "ApplePayToken", "Console", "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives",
                    "RelayServer", "Settings", argumentParser, lifecycle, logging,
                ]),
            // Shared parts of the gateways' sandboxes, and Apple's session host.
            library(
                "SandboxParts", in: .gatewayKit,
                uses: [
                    "AccessControl", "Console", "GatewayModule", "HTTPListener", "OutboundHTTP", "PaymentRelay",
                    "PayrelayPrimitives", "Settings", "TokenMint", httpTypes, hummingbird, hummingbirdTLS, lifecycle,
                    logging, nioCore, nioSSL,
                ], embeds: ["Page/sandbox.mustache"]),
            tests(
                "GatewayKitTests", in: "Gateways/Kit",
                use: [
                    "AccessControl", "ApplePayToken", "Console", "GatewayModule", "GatewayTestParts", "HTTPListener",
                    "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives", "RelayServer",
                    "SandboxParts", "Settings", "TokenMint", argumentParser, httpTypes, hummingbird, hummingbirdTLS,
                    lifecycle, logging, nioCore, nioSSL,
                ]),
        ],
        libraryWithTests(
            "FortAPI", in: .fort,
            uses: ["UnderWay", "ApplePayToken", "PayrelayPrimitives", "OutboundHTTP", crypto],
            testsUse: ["FortDocuments"]),
        libraryWithTests(
            "FortModule", in: .fort,
            uses: [
                "AccessControl", "ApplePayToken", "CommandLineParts", "Console", "FortAPI", "HTTPListener",
                "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives",
                "GatewayModule", "RelayServer", "Settings", argumentParser, httpTypes, lifecycle,
                logging, nioCore,
            ], embeds: ["code.mustache", "codes.mustache", "signature.mustache"].map { "Page/\($0)" },
            testsUse: ["FortSandbox", "GatewayTestParts", "SandboxParts", "TokenMint"]),
        libraryWithTests(
            "FortSandbox", in: .fort,
            uses: [
                "ApplePayToken", "FortAPI", "PayrelayPrimitives", "OutboundHTTP", "SandboxParts", "TokenMint",
                httpTypes,
                hummingbird, nioCore,
            ], testsUse: ["FortDocuments", "GatewayTestParts"]),
        libraryWithTests(
            "PortmoneAPI", in: .portmone,
            uses: ["ApplePayToken", "OutboundHTTP", "PayrelayAPI", "PayrelayPrimitives"]),
        libraryWithTests(
            "PortmoneModule", in: .portmone,
            uses: [
                "AccessControl", "ApplePayToken", "Console", "HTTPListener", "Observability", "OutboundHTTP",
                "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "PortmoneAPI", "GatewayModule", "RelayServer",
                "Settings", httpTypes, lifecycle, logging,
            ], testsUse: ["GatewayTestParts", "PortmoneSandbox", "SandboxParts", "TokenMint"]),
        libraryWithTests(
            "PortmoneSandbox", in: .portmone,
            uses: [
                "ApplePayToken", "OutboundHTTP", "PayrelayPrimitives", "SandboxParts", "TokenMint", crypto, httpTypes,
                hummingbird, nioCore,
            ], testsUse: ["FortAPI", "FortSandbox", "GatewayTestParts"]),
        [
            // This target has no tests of its own: PayrelayPortmoneSDK's tests, in `ClientsTests`, cover it.
            library(
                "MasterpassSandbox", in: .portmone,
                uses: ["HTTPListener", "PayrelayPrimitives", httpTypes, hummingbird, lifecycle, logging, nioCore])
        ])
}

// Libraries for apps. They depend only on the API's types and Foundation.
var clients: [Target] {
    [
        library("PayrelayClient", in: .clients, uses: ["PayrelayAPI", "PayrelayPrimitives"]),
        // Its tests are in Tests/PassKit.
        library(
            "PayrelayFortSDK", in: .clients, uses: ["PayrelayAPI", "PayrelayClient", "PayrelayPrimitives"],
            // Apple demands this file of a library that uses `UserDefaults`.
            copies: ["PrivacyInfo.xcprivacy"]),
        library("PayrelayPortmoneSDK", in: .clients, uses: ["PayrelayClient", "PayrelayPrimitives"]),
        // An example of an app, without its views: compiled so that tests can run it.
        .target(
            name: "ShopCheckout", dependencies: ["PayrelayClient"], path: "Examples/SwiftUIShop/Checkout",
            swiftSettings: settings),
        tests(
            "ClientsTests", in: "Clients",
            use: [
                "MasterpassSandbox", "PayrelayAPI", "PayrelayClient", "PayrelayPortmoneSDK", "PayrelayPrimitives",
                "ShopCheckout", lifecycle, logging,
            ]),
    ]
}

var program: [Target] {
    [
        // The relay, and commands for the people who run it.
        .executableTarget(
            name: "payrelay",
            dependencies: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "CommandLineParts", "Composition", "Console",
                "GatewayModule", "HTTPListener", "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayAPI",
                "PayrelayPrimitives", "RelayServer", "SQLJournal", "SQLiteDriver", "ServedFiles", "Settings",
                argumentParser, lifecycle, logging,
            ], path: "Sources/\(Layer.program.rawValue)/payrelay", swiftSettings: settings),
        // Tools for developers that must not run in production: sandboxes, the load test, and tokens of the sandbox.
        .executableTarget(
            name: "payrelay-dev",
            dependencies: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "CommandLineParts", "Composition", "Console",
                "FortAPI", "FortModule", "FortSandbox", "GatewayModule", "HTTPListener", "MasterpassSandbox",
                "Observability", "OutboundHTTP", "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "PortmoneAPI",
                "PortmoneModule", "PortmoneSandbox", "RelayServer", "SandboxParts", "Settings", "TokenMint",
                argumentParser, histogram, httpTypes, lifecycle, logging,
            ], path: "Sources/\(Layer.program.rawValue)/payrelay-dev",
            resources: checkoutPage.map { .embedInCode("CheckoutPage/Page/\($0)") }, swiftSettings: settings),
        // Settings, and the service built from them.
        library(
            "Composition", in: .program,
            uses: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "CLinux", "CommandLineParts", "Console",
                "FortModule", "GatewayModule", "HTTPListener", "Observability", "OutboundHTTP", "PaymentRelay",
                "PayrelayPrimitives", "PortmoneModule", "PostgresDriver", "RelayServer", "SQLJournal",
                "SQLiteDriver", "Settings", "UnderWay", argumentParser, lifecycle, logging, metrics, tracing,
                unixSignals,
            ]),
        tests(
            "ProgramTests", in: "Program", excluding: ["EndToEndTests"],
            use: [
                "AccessControl", "ApplePaySession", "ApplePayToken", "Composition", "Console", "FortAPI",
                "FortModule", "GatewayModule", "HTTPListener", "JournalContract", "Observability", "OutboundHTTP",
                "PaymentRelay", "PayrelayAPI", "PayrelayPrimitives", "PortmoneModule", "RelayServer", "SQLJournal",
                "SQLiteDriver", "SandboxParts", "Settings", "TokenMint", "payrelay", "payrelay-dev", httpTypes,
                lifecycle, logging, yams,
            ]),
    ]
}

var forTests: [Target] {
    [
        // An example of a merchant's backend: compiled so that tests can run it.
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
        // Shared parts of the tests of every gateway: a running sandbox with a receiver of its messages, and a relay with the
        // gateway's module and its sandbox over a network that corrupts messages.
        .target(
            name: "GatewayTestParts",
            dependencies: [
                "ApplePayToken", "JournalContract", "OutboundHTTP", "PaymentRelay", "PayrelayPrimitives",
                "SandboxParts", "TestPrograms", "TokenMint", lifecycle, logging,
            ], path: "Tests/Parts/GatewayTestParts", swiftSettings: settings),
        // A third gateway, in the shape of Stripe's, which only tests have.
        .target(
            name: "Meridian",
            dependencies: [
                "ApplePayToken", "Console", "HTTPListener", "Observability", "OutboundHTTP", "PaymentRelay",
                "PayrelayAPI", "PayrelayPrimitives", "GatewayModule", "RelayServer", "SandboxParts", "Settings",
                crypto, httpTypes, hummingbird, lifecycle, logging, nioCore,
            ], path: "Tests/Parts/Meridian", swiftSettings: settings),
        // A PostgreSQL server for tests.
        .target(
            name: "TestPostgres", dependencies: ["PostgresDriver", "TestPrograms"], path: "Tests/Parts/TestPostgres",
            swiftSettings: settings),
        // OpenSSL's own parsing and verification of a token's message.
        .target(
            name: "CMSReference", path: "Tests/Parts/CMSReference", linkerSettings: [.linkedLibrary("crypto")]),
        // The tables in the documents of FORT's mobile SDK, if they lie beside the project.
        .target(name: "FortDocuments", path: "Tests/Parts/FortDocuments", swiftSettings: settings),
        // Programs and servers that tests run beside themselves, and folders for the files of those programs.
        .target(
            name: "TestPrograms", dependencies: ["CLinux"], path: "Tests/Parts/TestPrograms", swiftSettings: settings),
    ]
}
