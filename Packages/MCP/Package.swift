// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "MCP",
    products: [
        .library(name: "MCP", targets: ["MCP"])
    ],
    dependencies: [
        .package(path: "../JSON"),
        .package(path: "../JSONRPC"),
    ],
    targets: [
        // No pkgConfig: it would link the shared library. The module map links the static one.
        .systemLibrary(
            name: "NovaBlendSystemSodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .target(
            name: "MCP",
            dependencies: ["NovaBlendSystemSodium", "JSON", "JSONRPC"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MCPTests",
            dependencies: [
                "MCP", "JSON", "JSONRPC",
                .product(name: "JSONRPCTestSupport", package: "JSONRPC"),
            ],
            swiftSettings: settings
        ),
    ]
)
