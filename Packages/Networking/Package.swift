// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Networking",
    products: [
        .library(name: "Networking", targets: ["Networking"])
    ],
    targets: [
        // Not linked: see its header.
        .target(name: "CCurl"),
        .target(name: "Networking", dependencies: ["CCurl"], swiftSettings: settings),
        .target(name: "TestEnvironment", path: "Tests/TestEnvironment"),
        .testTarget(
            name: "NetworkingTests",
            dependencies: ["Networking", "TestEnvironment"],
            swiftSettings: settings
        ),
    ]
)
