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
        .library(name: "JSONRPC", targets: ["JSONRPC"]),
        .library(name: "JSONRPCTestSupport", targets: ["JSONRPCTestSupport"]),
    ],
    dependencies: [
        .package(path: "../JSON"),
        .package(path: "../SystemSupport"),
    ],
    targets: [
        .systemLibrary(name: "NovaBlendLinux", providers: [.apt(["linux-libc-dev"])]),
        .target(
            name: "JSONRPC",
            dependencies: ["NovaBlendLinux", "JSON", "SystemSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "JSONRPCTestSupport",
            dependencies: [
                "JSONRPC", .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "JSONRPCTests",
            dependencies: [
                "JSONRPC", "JSONRPCTestSupport", "JSON", "SystemSupport",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
    ]
)
