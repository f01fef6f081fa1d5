// swift-tools-version: 6.2
import PackageDescription

// A separate package that is built with sanitizers: see `make fuzz`.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "payrelay", path: ".."),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.1.0"),
    ],
    targets: [
        .executableTarget(
            name: "VerificationFuzz",
            dependencies: [
                .product(name: "ApplePayToken", package: "payrelay"),
                .product(name: "CMSReference", package: "payrelay"),
                .product(name: "PayrelayPrimitives", package: "payrelay"),
                .product(name: "TokenMint", package: "payrelay"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
            ])
    ]
)
