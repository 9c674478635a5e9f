// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "CivilTime",
    products: [
        .library(name: "CivilTime", targets: ["CivilTime"])
    ],
    targets: [
        .target(name: "CivilTime", swiftSettings: settings),
        .testTarget(
            name: "CivilTimeTests",
            dependencies: ["CivilTime"],
            swiftSettings: settings
        ),
    ]
)
