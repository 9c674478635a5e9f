// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "EndToEnd",
    dependencies: [
        .package(path: "../../Packages/JSON")
    ],
    targets: [
        .target(name: "Spawning"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["JSON", "Spawning"],
            swiftSettings: settings
        ),
    ]
)
