// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Each program, with the libraries that it uses.
let programs: [(name: String, libraries: [Target.Dependency])] = [
    ("calculator", ["JSON", "JSONRPC"]),
    ("downloader", ["Networking"]),
    ("json-reader", ["JSON"]),
    ("key-value-store", ["JSON", "Persistence"]),
    ("mcp-server", ["JSON", "JSONRPC", "MCP"]),
]

let package = Package(
    name: "Examples",
    dependencies: [
        .package(path: "../Packages/JSON"),
        .package(path: "../Packages/JSONRPC"),
        .package(path: "../Packages/MCP"),
        .package(path: "../Packages/Networking"),
        .package(path: "../Packages/Persistence"),
        .package(path: "../Packages/SystemSupport"),
        // The tests use the backend's HTTP server.
        .package(path: "../Tools/novablend-backend"),
    ],
    targets: programs.map { program in
        .executableTarget(
            name: program.name,
            dependencies: program.libraries,
            swiftSettings: settings
        )
    } + [
        .testTarget(
            name: "ExampleTests",
            dependencies: programs.map { .target(name: $0.name) } + [
                "SystemSupport",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
                .product(name: "HTTPServing", package: "novablend-backend"),
            ],
            swiftSettings: settings
        )
    ]
)
