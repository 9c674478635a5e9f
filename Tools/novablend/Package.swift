// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let rooms = [
    "Domain", "JSON", "Contract", "Zones", "Networking", "Persistence", "JSONRPC", "MCP",
]

let package = Package(
    name: "novablend",
    products: [
        .executable(name: "novablend", targets: ["novablend"]),
        .library(name: "NovaBlendKit", targets: ["NovaBlendKit"]),
    ],
    dependencies: rooms.map { .package(path: "../../Packages/\($0)") },
    targets: [
        .target(
            name: "NovaBlendKit",
            dependencies: rooms.map { .product(name: $0, package: $0) },
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendCommand",
            dependencies: ["NovaBlendKit"] + rooms.map { .product(name: $0, package: $0) },
            swiftSettings: settings
        ),
        .executableTarget(name: "novablend", dependencies: ["NovaBlendCommand"]),
        .testTarget(
            name: "NovaBlendKitTests",
            dependencies: ["NovaBlendKit", .product(name: "DomainTestSupport", package: "Domain")]
                + rooms.map { .product(name: $0, package: $0) },
            swiftSettings: settings
        ),
        .testTarget(
            name: "NovaBlendCommandTests",
            dependencies: ["NovaBlendCommand", "NovaBlendKit"]
                + rooms.map { .product(name: $0, package: $0) },
            swiftSettings: settings
        ),
    ]
)
