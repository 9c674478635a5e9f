// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Persistence",
    products: [
        .library(name: "Persistence", targets: ["Persistence"]),
        .library(name: "PersistenceTestSupport", targets: ["PersistenceTestSupport"]),
    ],
    targets: [
        .target(name: "CFileCalls"),
        .target(name: "CXXHash"),
        .target(
            name: "Persistence",
            dependencies: ["CFileCalls", "CXXHash"],
            swiftSettings: settings
        ),
        .target(
            name: "PersistenceTestSupport",
            dependencies: ["Persistence"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PersistenceTests",
            dependencies: ["Persistence", "PersistenceTestSupport"],
            swiftSettings: settings
        ),
    ]
)
