// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Contract",
    products: [
        .library(name: "Contract", targets: ["Contract"])
    ],
    dependencies: [
        .package(path: "../Domain"),
        .package(path: "../JSON"),
        .package(path: "../SystemSupport"),
    ],
    targets: [
        .target(name: "Contract", dependencies: ["Domain", "JSON"], swiftSettings: settings),
        .testTarget(
            name: "ContractTests",
            dependencies: [
                "Contract", "Domain", "JSON",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
    ]
)
