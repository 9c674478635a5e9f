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
    dependencies: [
        .package(path: "../CivilTime"),
        .package(path: "../SystemSupport"),
    ],
    targets: [
        .target(name: "NovaBlendFileCalls"),
        // Without pkgConfig: its header is compiled in, and nothing is linked.
        .systemLibrary(
            name: "NovaBlendSystemXXHash",
            providers: [.apt(["libxxhash-dev"])]
        ),
        .target(name: "NovaBlendXXHash", dependencies: ["NovaBlendSystemXXHash"]),
        .target(
            name: "Persistence",
            dependencies: ["CivilTime", "NovaBlendFileCalls", "NovaBlendXXHash", "SystemSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "PersistenceTestSupport",
            dependencies: ["Persistence"],
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendTestSystemCalls",
            path: "Tests/NovaBlendTestSystemCalls"
        ),
        .testTarget(
            name: "PersistenceTests",
            dependencies: [
                "NovaBlendTestSystemCalls", "Persistence", "PersistenceTestSupport",
                "SystemSupport",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
    ]
)
