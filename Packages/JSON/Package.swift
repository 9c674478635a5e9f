// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "JSON",
    products: [
        .library(name: "JSON", targets: ["JSON"])
    ],
    targets: [
        // No pkgConfig: the .pc file contains a -D flag, and SwiftPM warns about it.
        .systemLibrary(
            name: "NovaBlendSystemSimdJSON",
            providers: [.apt(["libsimdjson-dev"])]
        ),
        .target(
            name: "NovaBlendSimdJSON",
            dependencies: ["NovaBlendSystemSimdJSON"],
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(name: "JSON", dependencies: ["NovaBlendSimdJSON"], swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: settings),
    ],
    cxxLanguageStandard: .cxx17
)
