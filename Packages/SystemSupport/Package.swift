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
        .library(name: "SystemSupport", targets: ["SystemSupport"]),
        .library(name: "SystemTestSupport", targets: ["SystemTestSupport"]),
        .library(name: "NovaBlendSystemSodium", targets: ["NovaBlendSystemSodium"]),
    ],
    targets: [
        .target(name: "NovaBlendBuildStamp"),
        .target(name: "NovaBlendSpawn"),
        // No pkgConfig: it would link the shared library. The module map links the static one.
        .systemLibrary(
            name: "NovaBlendSystemSodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .target(
            name: "SystemSupport",
            dependencies: ["NovaBlendBuildStamp", "NovaBlendSpawn"],
            swiftSettings: settings
        ),
        .target(
            name: "SystemTestSupport",
            dependencies: ["SystemSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SystemSupportTests",
            dependencies: ["SystemSupport", "SystemTestSupport"],
            swiftSettings: settings
        ),
    ]
)
