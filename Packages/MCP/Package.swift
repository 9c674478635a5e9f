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
        .package(path: "../SystemSupport"),
    ],
    targets: [
        .target(
            name: "MCP",
            dependencies: [
                "JSON", "JSONRPC", "SystemSupport",
                .product(name: "NovaBlendSystemSodium", package: "SystemSupport"),
            ],
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
