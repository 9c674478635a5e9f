// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "JSONRPC",
    products: [
        .library(name: "JSONRPC", targets: ["JSONRPC"])
    ],
    dependencies: [
        .package(path: "../JSON")
    ],
    targets: [
        .target(name: "JSONRPC", dependencies: ["JSON"], swiftSettings: settings),
        .testTarget(
            name: "JSONRPCTests",
            dependencies: ["JSONRPC", "JSON"],
            swiftSettings: settings
        ),
    ]
)
