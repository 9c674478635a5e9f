// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "CommandLineKit",
    products: [
        .library(name: "CommandLineKit", targets: ["CommandLineKit"])
    ],
    dependencies: [
        .package(path: "../SystemSupport")
    ],
    targets: [
        .target(name: "CommandLineKit", dependencies: ["SystemSupport"], swiftSettings: settings),
        // The example program that README.md shows.
        .executableTarget(
            name: "greet",
            dependencies: ["CommandLineKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandLineKitTests",
            dependencies: [
                "CommandLineKit", "greet",
                .product(name: "SystemSupport", package: "SystemSupport"),
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
    ]
)
