// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that building and testing payrelay never builds this.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "payrelay", path: ".."), .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
    ],
    targets: [
        .target(name: "CVerification", linkerSettings: [.linkedLibrary("crypto")]),
        .executableTarget(
            name: "VerificationBenchmark",
            dependencies: [
                "CVerification",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ApplePayToken", package: "payrelay"),
                .product(name: "OrderedJSON", package: "payrelay"),
                .product(name: "TokenMint", package: "payrelay"),
            ]),
        .executableTarget(
            name: "BareResponderServer", dependencies: [.product(name: "BareResponder", package: "payrelay")]),
        .executableTarget(
            name: "JournalGrowthBenchmark",
            dependencies: [
                .product(name: "PaymentRelay", package: "payrelay"),
                .product(name: "PostgresJournal", package: "payrelay"),
                .product(name: "SQLiteJournal", package: "payrelay"),
                .product(name: "TestPostgres", package: "payrelay"),
            ]),
        .executableTarget(
            name: "SandboxBenchmark",
            dependencies: [
                .product(name: "ApplePayToken", package: "payrelay"),
                .product(name: "FortAPI", package: "payrelay"),
                .product(name: "OrderedJSON", package: "payrelay"),
                .product(name: "OutboundHTTP", package: "payrelay"),
                .product(name: "TokenMint", package: "payrelay"),
            ]),
    ]
)
