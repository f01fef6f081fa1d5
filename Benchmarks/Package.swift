// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that building and testing payrelay never builds the benchmarks.
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
                "CVerification", "Measuring",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ApplePayToken", package: "payrelay"),
                .product(name: "PaymentRelay", package: "payrelay"),
                .product(name: "PayrelayPrimitives", package: "payrelay"),
                .product(name: "TokenMint", package: "payrelay"),
            ]),
        .executableTarget(
            name: "BareResponderServer", dependencies: [.product(name: "TestPrograms", package: "payrelay")]),
        .executableTarget(
            name: "JournalGrowthBenchmark",
            dependencies: [
                "Measuring",
                .product(name: "PaymentRelay", package: "payrelay"),
                .product(name: "PayrelayPrimitives", package: "payrelay"),
                .product(name: "PostgresDriver", package: "payrelay"),
                .product(name: "SQLJournal", package: "payrelay"),
                .product(name: "SQLiteDriver", package: "payrelay"),
                .product(name: "TestPostgres", package: "payrelay"),
            ]),
        // C functions for the load generator: the needed system calls are missing in Swift's standard modules.
        .target(name: "CLoad"),
        .target(name: "CJournalFloor", linkerSettings: [.linkedLibrary("sqlite3")]),
        // Shared measuring code of the benchmarks.
        .target(
            name: "Measuring",
            dependencies: [
                "CLoad", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "PaymentRelay", package: "payrelay"),
                .product(name: "PayrelayPrimitives", package: "payrelay"),
                .product(name: "TestPrograms", package: "payrelay"),
            ]),
        .executableTarget(
            name: "RelayBenchmark",
            dependencies: [
                "CJournalFloor", "CLoad", "CVerification", "Measuring",
                .product(name: "ApplePayToken", package: "payrelay"),
                .product(name: "FortAPI", package: "payrelay"),
                .product(name: "FortModule", package: "payrelay"),
                .product(name: "PayrelayPrimitives", package: "payrelay"),
                .product(name: "OutboundHTTP", package: "payrelay"),
                .product(name: "PaymentRelay", package: "payrelay"),
                .product(name: "SQLJournal", package: "payrelay"),
                .product(name: "SQLiteDriver", package: "payrelay"),
                .product(name: "TestPostgres", package: "payrelay"),
                .product(name: "TestPrograms", package: "payrelay"),
                .product(name: "TokenMint", package: "payrelay"),
            ]),
    ]
)
