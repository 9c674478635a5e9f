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
        .library(name: "WebPrimitives", targets: ["WebPrimitives"]),
        .library(name: "Networking", targets: ["Networking"]),
    ],
    dependencies: [
        .package(path: "../CivilTime"),
        .package(path: "../SystemSupport"),
    ],
    targets: [
        // Without pkgConfig, which would link libcurl. NovaBlendCurl loads it; see its header.
        .systemLibrary(
            name: "NovaBlendSystemCurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(name: "NovaBlendCurl", dependencies: ["NovaBlendSystemCurl"]),
        .target(
            name: "WebPrimitives",
            dependencies: ["CivilTime"],
            swiftSettings: settings
        ),
        .target(
            name: "Networking",
            dependencies: ["NovaBlendCurl", "SystemSupport", "WebPrimitives"],
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendTestEnvironment",
            path: "Tests/NovaBlendTestEnvironment"
        ),
        .testTarget(
            name: "WebPrimitivesTests",
            dependencies: ["WebPrimitives"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NetworkingTests",
            dependencies: [
                "Networking", "NovaBlendTestEnvironment", "SystemSupport", "WebPrimitives",
                .product(name: "SystemTestSupport", package: "SystemSupport"),
            ],
            swiftSettings: settings
        ),
    ]
)
