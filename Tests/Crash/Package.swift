// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Crash",
    dependencies: [
        .package(path: "../../Packages/Persistence"),
        .package(path: "../../Packages/SystemSupport"),
    ],
    targets: [
        .target(name: "CrashOperations", dependencies: ["Persistence"], swiftSettings: settings),
        .executableTarget(
            name: "crash-writer",
            dependencies: ["CrashOperations"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "CrashOperations", "Persistence", "crash-writer",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
    ]
)
