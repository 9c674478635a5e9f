// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Domain",
    products: [
        .library(name: "Domain", targets: ["Domain"]),
        .library(name: "DomainTestSupport", targets: ["DomainTestSupport"]),
    ],
    dependencies: [
        .package(path: "../CivilTime")
    ],
    targets: [
        .target(name: "Domain", dependencies: ["CivilTime"], swiftSettings: settings),
        .target(name: "DomainTestSupport", dependencies: ["Domain"], swiftSettings: settings),
        .testTarget(
            name: "DomainTests",
            dependencies: ["Domain", "DomainTestSupport"],
            swiftSettings: settings
        ),
    ]
)
