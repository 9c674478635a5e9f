// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Zones",
    products: [
        .library(name: "Zones", targets: ["Zones"])
    ],
    dependencies: [
        .package(path: "../CivilTime")
    ],
    targets: [
        .target(name: "Zones", dependencies: ["CivilTime"], swiftSettings: settings),
        .testTarget(
            name: "ZonesTests",
            dependencies: ["Zones", "CivilTime"],
            // Read in place, by the end-to-end tests too.
            exclude: ["transitions.py"],
            swiftSettings: settings
        ),
    ]
)
