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
        .package(path: "../../Packages/JSON"),
        .package(path: "../../Packages/SystemSupport"),
    ],
    targets: [
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "JSON", "SystemSupport",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        )
    ]
)
