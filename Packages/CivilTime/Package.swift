// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "CivilTime",
    products: [
        .library(name: "CivilTime", targets: ["CivilTime"]),
        .library(name: "Zones", targets: ["Zones"]),
        .library(name: "ICalendar", targets: ["ICalendar"]),
    ],
    targets: [
        .target(name: "CivilTime", swiftSettings: settings),
        .target(name: "Zones", dependencies: ["CivilTime"], swiftSettings: settings),
        .target(name: "ICalendar", dependencies: ["CivilTime"], swiftSettings: settings),
        .testTarget(
            name: "CivilTimeTests",
            dependencies: ["CivilTime"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ZonesTests",
            dependencies: ["CivilTime", "Zones"],
            // The tests read this file where it is, and so do the end-to-end tests.
            exclude: ["transitions.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ICalendarTests",
            dependencies: ["CivilTime", "ICalendar"],
            swiftSettings: settings
        ),
    ]
)
