// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// A fuzzer has no main function, so it can be linked only with libFuzzer. See README.md.
let fuzzers = Context.environment["FUZZ"] == nil ? [] : ["framing", "json", "contract"]

let package = Package(
    name: "Fuzzing",
    dependencies: [
        .package(path: "../../Packages/Contract"),
        .package(path: "../../Packages/Domain"),
        .package(path: "../../Packages/JSON"),
        .package(path: "../../Packages/JSONRPC"),
    ],
    targets: [
        .target(
            name: "FuzzTargets",
            dependencies: ["Contract", "Domain", "JSON", "JSONRPC"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: ["FuzzTargets"],
            swiftSettings: settings
        ),
    ]
        + fuzzers.map {
            .executableTarget(
                name: "fuzz-\($0)",
                dependencies: ["FuzzTargets"],
                swiftSettings: settings
            )
        }
)
