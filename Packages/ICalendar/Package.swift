// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "ICalendar",
    products: [
        .library(name: "ICalendar", targets: ["ICalendar"])
    ],
    dependencies: [
        .package(path: "../CivilTime")
    ],
    targets: [
        .target(name: "ICalendar", dependencies: ["CivilTime"], swiftSettings: settings),
        .testTarget(
            name: "ICalendarTests",
            dependencies: ["CivilTime", "ICalendar"],
            swiftSettings: settings
        ),
    ]
)
