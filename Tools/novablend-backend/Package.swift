// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]
let systemTestSupport = Target.Dependency.product(
    name: "SystemTestSupport",
    package: "SystemSupport"
)
let webPrimitives = Target.Dependency.product(name: "WebPrimitives", package: "Networking")
// An asynchronous function runs on the thread of its caller until it suspends, so a request that
// only reads does not change threads.
let storageSettings = settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "novablend-backend",
    products: [
        .executable(name: "novablend-backend", targets: ["novablend-backend"]),
        .library(name: "HTTPServing", targets: ["HTTPServing"]),
        .library(name: "BookingStorage", targets: ["BookingStorage"]),
        .library(name: "BookingStorageTestSupport", targets: ["BookingStorageTestSupport"]),
        .library(name: "SQLiteStorage", targets: ["SQLiteStorage"]),
        .library(name: "PostgreSQLStorage", targets: ["PostgreSQLStorage"]),
        .library(name: "BackendKit", targets: ["BackendKit"]),
    ],
    dependencies: [
        .package(path: "../../Packages/CivilTime"),
        .package(path: "../../Packages/CommandLineKit"),
        .package(path: "../../Packages/Domain"),
        .package(path: "../../Packages/JSON"),
        .package(path: "../../Packages/Contract"),
        .package(path: "../../Packages/Networking"),
        .package(path: "../../Packages/SystemSupport"),
    ],
    targets: [
        .systemLibrary(
            name: "NovaBlendSystemMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(
            name: "NovaBlendSystemSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(name: "NovaBlendMetrics", swiftSettings: settings),
        // Without pkgConfig, which would link libpq. NovaBlendPQ loads it; see its header.
        .systemLibrary(name: "NovaBlendSystemPQ", providers: [.apt(["libpq-dev"])]),
        .target(name: "NovaBlendPQ", dependencies: ["NovaBlendSystemPQ"]),
        .target(name: "NovaBlendMicroHTTPD", dependencies: ["NovaBlendSystemMicroHTTPD"]),
        .target(
            name: "HTTPServing",
            dependencies: ["NovaBlendMicroHTTPD", "SystemSupport", webPrimitives],
            swiftSettings: settings
        ),
        .target(
            name: "BookingStorage",
            dependencies: ["Contract", "Domain", "JSON", "NovaBlendMetrics", webPrimitives],
            swiftSettings: storageSettings
        ),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "BookingStorage", "NovaBlendMetrics", "NovaBlendSystemSQLite", "Domain",
                "SystemSupport",
            ],
            swiftSettings: storageSettings
        ),
        .target(
            name: "PostgreSQLStorage",
            dependencies: [
                "BookingStorage", "NovaBlendMetrics", "NovaBlendPQ", "Domain", "SystemSupport",
            ],
            swiftSettings: storageSettings
        ),
        .target(
            name: "BookingStorageTestSupport",
            dependencies: [
                "BookingStorage", "Contract", "Domain", systemTestSupport,
                .product(name: "DomainTestSupport", package: "Domain"),
            ],
            swiftSettings: storageSettings
        ),
        .target(
            name: "BackendKit",
            dependencies: [
                "HTTPServing", "BookingStorage", "PostgreSQLStorage", "SQLiteStorage", "Contract",
                "Domain", "JSON", "NovaBlendMetrics", "SystemSupport", webPrimitives,
                .product(name: "Zones", package: "CivilTime"),
                .product(name: "NovaBlendSystemSodium", package: "SystemSupport"),
            ],
            resources: [.embedInCode("Images")],
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendSalonFiles",
            dependencies: ["CommandLineKit", "Contract", "Domain", "JSON", "SystemSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendBackendCommand",
            dependencies: [
                "BackendKit", "BookingStorage", "CommandLineKit", "Contract", "Domain",
                "HTTPServing", "JSON", "NovaBlendSalonFiles", "PostgreSQLStorage", "SQLiteStorage",
                "SystemSupport", webPrimitives,
                .product(name: "Zones", package: "CivilTime"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "novablend-backend", dependencies: ["NovaBlendBackendCommand"]),
        .testTarget(
            name: "NovaBlendMetricsTests",
            dependencies: ["NovaBlendMetrics"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: ["HTTPServing", "SystemSupport", systemTestSupport, webPrimitives],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "NovaBlendStoreWriter",
            dependencies: ["BookingStorage", "Domain", "SQLiteStorage"],
            path: "Tests/NovaBlendStoreWriter",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SQLiteStorageTests",
            dependencies: [
                "BookingStorage", "BookingStorageTestSupport", "NovaBlendStoreWriter",
                "NovaBlendSystemSQLite", "SQLiteStorage", "Domain", "SystemSupport",
                systemTestSupport,
                .product(name: "DomainTestSupport", package: "Domain"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "PostgreSQLTestSupport",
            dependencies: ["SystemSupport"],
            path: "Tests/PostgreSQLTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "PostgreSQLStorageTests",
            dependencies: [
                "BookingStorage", "BookingStorageTestSupport", "NovaBlendMetrics",
                "PostgreSQLStorage", "PostgreSQLTestSupport", "Domain", "SystemSupport",
                systemTestSupport,
                .product(name: "DomainTestSupport", package: "Domain"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BackendKitTests",
            dependencies: [
                "BackendKit", "BookingStorage", "BookingStorageTestSupport", "HTTPServing",
                "PostgreSQLTestSupport", "SQLiteStorage", "Contract", "Domain", "JSON",
                systemTestSupport, webPrimitives,
                .product(name: "DomainTestSupport", package: "Domain"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NovaBlendSalonFilesTests",
            dependencies: [
                "NovaBlendSalonFiles", "Contract", "Domain", "JSON", systemTestSupport,
                .product(name: "DomainTestSupport", package: "Domain"),
            ],
            exclude: ["Spreadsheets"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NovaBlendBackendCommandTests",
            dependencies: [
                "BackendKit", "BookingStorage", "CommandLineKit", "Contract", "Domain",
                "NovaBlendBackendCommand", "PostgreSQLStorage", "SQLiteStorage", "SystemSupport",
                systemTestSupport,
            ],
            swiftSettings: settings
        ),
    ]
)
