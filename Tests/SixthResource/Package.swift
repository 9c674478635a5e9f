// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "SixthResource",
    dependencies: [
        .package(path: "../../Packages/Domain"),
        .package(path: "../../Packages/JSON"),
        .package(path: "../../Packages/Contract"),
        .package(path: "../../Packages/JSONRPC"),
        .package(path: "../../Packages/SystemSupport"),
        .package(path: "../../Tools/novablend"),
        .package(path: "../../Tools/novablend-backend"),
    ],
    targets: [
        .testTarget(
            name: "SixthResourceTests",
            dependencies: [
                "Domain", "JSON", "Contract", "JSONRPC",
                .product(name: "JSONRPCTestSupport", package: "JSONRPC"),
                .product(name: "SystemTestSupport", package: "SystemSupport"),
                .product(name: "NovaBlendEngine", package: "novablend"),
                .product(name: "BackendKit", package: "novablend-backend"),
            ],
            swiftSettings: settings
        )
    ]
)
