// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "SystemSupport",
    products: [
        .library(name: "SystemSupport", targets: ["SystemSupport"])
    ],
    targets: [
        .target(name: "NovaBlendSpawn"),
        .target(
            name: "SystemSupport",
            dependencies: ["NovaBlendSpawn"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SystemSupportTests",
            dependencies: ["SystemSupport"],
            swiftSettings: settings
        ),
    ]
)
