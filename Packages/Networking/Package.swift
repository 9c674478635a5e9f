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
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "Networking", dependencies: ["CCurl"], swiftSettings: settings),
        .target(name: "TestEnvironment", path: "Tests/TestEnvironment"),
        .testTarget(
            name: "NetworkingTests",
            dependencies: ["Networking", "TestEnvironment"],
            swiftSettings: settings
        ),
    ]
)
