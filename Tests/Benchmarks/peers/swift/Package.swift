// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Peers",
    dependencies: [
        .package(path: "../../../../Packages/CivilTime"),
        .package(path: "../../../../Packages/Contract"),
        .package(path: "../../../../Packages/Domain"),
        .package(path: "../../../../Packages/JSON"),
        .package(path: "../../../../Packages/Networking"),
        .package(path: "../../../../Packages/Persistence"),
    ],
    targets: [
        .target(name: "BenchmarkSupport", swiftSettings: settings),
        .executableTarget(
            name: "bench-novablend",
            dependencies: [
                "BenchmarkSupport", "Contract", "Domain", "JSON", "Networking", "Persistence",
                .product(name: "Zones", package: "CivilTime"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-codable",
            dependencies: ["BenchmarkSupport", "JSON"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-foundation",
            dependencies: ["BenchmarkSupport"],
            swiftSettings: settings
        ),
    ]
)
