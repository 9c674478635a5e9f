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
        // The program that README.md shows, for the tests.
        .executableTarget(
            name: "greet",
            dependencies: ["CommandLineKit"],
            path: "Tests/greet",
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
