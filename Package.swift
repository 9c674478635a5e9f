// swift-tools-version: 6.2
// Generated from the packages' manifests: edit those, then run `make manifest`.
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "NovaBlend",
    products: [
        .library(name: "SystemSupport", targets: ["SystemSupport"]),
        .library(name: "SystemTestSupport", targets: ["SystemTestSupport"]),
        .library(name: "CommandLineKit", targets: ["CommandLineKit"]),
        .library(name: "JSON", targets: ["JSON"]),
        .library(name: "CivilTime", targets: ["CivilTime"]),
        .library(name: "Zones", targets: ["Zones"]),
        .library(name: "ICalendar", targets: ["ICalendar"]),
        .library(name: "Domain", targets: ["Domain"]),
        .library(name: "DomainTestSupport", targets: ["DomainTestSupport"]),
        .library(name: "Contract", targets: ["Contract"]),
        .library(name: "WebPrimitives", targets: ["WebPrimitives"]),
        .library(name: "Networking", targets: ["Networking"]),
        .library(name: "Persistence", targets: ["Persistence"]),
        .library(name: "PersistenceTestSupport", targets: ["PersistenceTestSupport"]),
        .library(name: "JSONRPC", targets: ["JSONRPC"]),
        .library(name: "JSONRPCTestSupport", targets: ["JSONRPCTestSupport"]),
        .library(name: "MCP", targets: ["MCP"]),
        .executable(name: "novablend", targets: ["novablend"]),
        .library(name: "NovaBlendEngine", targets: ["NovaBlendEngine"]),
        .executable(name: "novablend-backend", targets: ["novablend-backend"]),
        .library(name: "HTTPServing", targets: ["HTTPServing"]),
        .library(name: "BookingStorage", targets: ["BookingStorage"]),
        .library(name: "BookingStorageTestSupport", targets: ["BookingStorageTestSupport"]),
        .library(name: "SQLiteStorage", targets: ["SQLiteStorage"]),
        .library(name: "PostgreSQLStorage", targets: ["PostgreSQLStorage"]),
        .library(name: "BackendKit", targets: ["BackendKit"]),
    ],
    targets: [
        .target(
            name: "NovaBlendBuildStamp",
            path: "Packages/SystemSupport/Sources/NovaBlendBuildStamp"
        ),
        .target(name: "NovaBlendSpawn", path: "Packages/SystemSupport/Sources/NovaBlendSpawn"),
        .systemLibrary(
            name: "NovaBlendSystemSodium",
            path: "Packages/SystemSupport/Sources/NovaBlendSystemSodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .target(
            name: "SystemSupport",
            dependencies: ["NovaBlendBuildStamp", "NovaBlendSpawn"],
            path: "Packages/SystemSupport/Sources/SystemSupport",
            swiftSettings: settings
        ),
        .target(
            name: "SystemTestSupport",
            dependencies: ["SystemSupport"],
            path: "Packages/SystemSupport/Sources/SystemTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "CommandLineKit",
            dependencies: ["SystemSupport"],
            path: "Packages/CommandLineKit/Sources/CommandLineKit",
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "NovaBlendSystemSimdJSON",
            path: "Packages/JSON/Sources/NovaBlendSystemSimdJSON",
            providers: [.apt(["libsimdjson-dev"])]
        ),
        .target(
            name: "NovaBlendSimdJSON",
            dependencies: ["NovaBlendSystemSimdJSON"],
            path: "Packages/JSON/Sources/NovaBlendSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .target(
            name: "JSON",
            dependencies: ["NovaBlendSimdJSON"],
            path: "Packages/JSON/Sources/JSON",
            swiftSettings: settings
        ),
        .target(
            name: "CivilTime",
            path: "Packages/CivilTime/Sources/CivilTime",
            swiftSettings: settings
        ),
        .target(
            name: "Zones",
            dependencies: ["CivilTime"],
            path: "Packages/CivilTime/Sources/Zones",
            swiftSettings: settings
        ),
        .target(
            name: "ICalendar",
            dependencies: ["CivilTime"],
            path: "Packages/CivilTime/Sources/ICalendar",
            swiftSettings: settings
        ),
        .target(
            name: "Domain",
            dependencies: ["CivilTime"],
            path: "Packages/Domain/Sources/Domain",
            swiftSettings: settings
        ),
        .target(
            name: "DomainTestSupport",
            dependencies: ["Domain"],
            path: "Packages/Domain/Sources/DomainTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "Contract",
            dependencies: ["Domain", "JSON"],
            path: "Packages/Contract/Sources/Contract",
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "NovaBlendSystemCurl",
            path: "Packages/Networking/Sources/NovaBlendSystemCurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .target(
            name: "NovaBlendCurl",
            dependencies: ["NovaBlendSystemCurl"],
            path: "Packages/Networking/Sources/NovaBlendCurl"
        ),
        .target(
            name: "WebPrimitives",
            dependencies: ["CivilTime"],
            path: "Packages/Networking/Sources/WebPrimitives",
            swiftSettings: settings
        ),
        .target(
            name: "Networking",
            dependencies: ["NovaBlendCurl", "SystemSupport", "WebPrimitives"],
            path: "Packages/Networking/Sources/Networking",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendFileCalls",
            path: "Packages/Persistence/Sources/NovaBlendFileCalls"
        ),
        .systemLibrary(
            name: "NovaBlendSystemXXHash",
            path: "Packages/Persistence/Sources/NovaBlendSystemXXHash",
            providers: [.apt(["libxxhash-dev"])]
        ),
        .target(
            name: "NovaBlendXXHash",
            dependencies: ["NovaBlendSystemXXHash"],
            path: "Packages/Persistence/Sources/NovaBlendXXHash"
        ),
        .target(
            name: "Persistence",
            dependencies: ["CivilTime", "NovaBlendFileCalls", "NovaBlendXXHash", "SystemSupport"],
            path: "Packages/Persistence/Sources/Persistence",
            swiftSettings: settings
        ),
        .target(
            name: "PersistenceTestSupport",
            dependencies: ["Persistence"],
            path: "Packages/Persistence/Sources/PersistenceTestSupport",
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "NovaBlendLinux",
            path: "Packages/JSONRPC/Sources/NovaBlendLinux",
            providers: [.apt(["linux-libc-dev"])]
        ),
        .target(
            name: "JSONRPC",
            dependencies: ["NovaBlendLinux", "JSON", "SystemSupport"],
            path: "Packages/JSONRPC/Sources/JSONRPC",
            swiftSettings: settings
        ),
        .target(
            name: "JSONRPCTestSupport",
            dependencies: ["JSONRPC", "SystemTestSupport"],
            path: "Packages/JSONRPC/Sources/JSONRPCTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "MCP",
            dependencies: ["JSON", "JSONRPC", "SystemSupport", "NovaBlendSystemSodium"],
            path: "Packages/MCP/Sources/MCP",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendAccounts",
            dependencies: ["Contract", "Networking", "SystemSupport", "WebPrimitives"],
            path: "Tools/novablend/Sources/NovaBlendAccounts",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendAdapters",
            dependencies: [
                "NovaBlendAccounts", "Contract", "Domain", "JSON", "Networking",
                "NovaBlendSystemSodium", "Persistence", "SystemSupport", "WebPrimitives",
            ],
            path: "Tools/novablend/Sources/NovaBlendAdapters",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendConfiguration",
            dependencies: [
                "NovaBlendAccounts", "NovaBlendAdapters", "Networking", "SystemSupport",
            ],
            path: "Tools/novablend/Sources/NovaBlendConfiguration",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendChanges",
            dependencies: ["NovaBlendAdapters", "Domain", "Persistence"],
            path: "Tools/novablend/Sources/NovaBlendChanges",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendTextSearch",
            path: "Tools/novablend/Sources/NovaBlendTextSearch",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendMethods",
            dependencies: [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendChanges",
                "NovaBlendTextSearch", "Contract", "Domain", "ICalendar", "JSON", "JSONRPC",
                "Persistence", "SystemSupport",
            ],
            path: "Tools/novablend/Sources/NovaBlendMethods",
            swiftSettings: settings
        ),
        .target(name: "NovaBlendApps", path: "Tools/novablend/Sources/NovaBlendApps"),
        .target(
            name: "NovaBlendMCPAdapter",
            dependencies: [
                "NovaBlendAdapters", "NovaBlendApps", "NovaBlendMethods", "Contract", "Domain",
                "JSON", "JSONRPC", "MCP",
            ],
            path: "Tools/novablend/Sources/NovaBlendMCPAdapter",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendEngine",
            dependencies: [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendChanges",
                "NovaBlendConfiguration", "NovaBlendMCPAdapter", "NovaBlendMethods", "Contract",
                "Domain", "JSON", "JSONRPC", "MCP", "Networking", "Persistence", "SystemSupport",
                "WebPrimitives", "Zones",
            ],
            path: "Tools/novablend/Sources/NovaBlendEngine",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendDoctor",
            dependencies: [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendConfiguration", "Contract",
                "Domain", "JSON", "Networking", "Persistence", "SystemSupport", "WebPrimitives",
                "Zones",
            ],
            path: "Tools/novablend/Sources/NovaBlendDoctor",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendCommands",
            dependencies: [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendConfiguration",
                "NovaBlendDoctor", "NovaBlendEngine", "NovaBlendMethods", "NovaBlendTextSearch",
                "CommandLineKit", "Contract", "Domain", "JSON", "JSONRPC", "MCP", "Networking",
                "SystemSupport", "Zones",
            ],
            path: "Tools/novablend/Sources/NovaBlendCommands",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "novablend",
            dependencies: ["NovaBlendCommands"],
            path: "Tools/novablend/Sources/novablend"
        ),
        .systemLibrary(
            name: "NovaBlendSystemMicroHTTPD",
            path: "Tools/novablend-backend/Sources/NovaBlendSystemMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),
        .systemLibrary(
            name: "NovaBlendSystemSQLite",
            path: "Tools/novablend-backend/Sources/NovaBlendSystemSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "NovaBlendMetrics",
            path: "Tools/novablend-backend/Sources/NovaBlendMetrics",
            swiftSettings: settings
        ),
        .systemLibrary(
            name: "NovaBlendSystemPQ",
            path: "Tools/novablend-backend/Sources/NovaBlendSystemPQ",
            providers: [.apt(["libpq-dev"])]
        ),
        .target(
            name: "NovaBlendPQ",
            dependencies: ["NovaBlendSystemPQ"],
            path: "Tools/novablend-backend/Sources/NovaBlendPQ"
        ),
        .target(
            name: "NovaBlendMicroHTTPD",
            dependencies: ["NovaBlendSystemMicroHTTPD"],
            path: "Tools/novablend-backend/Sources/NovaBlendMicroHTTPD"
        ),
        .target(
            name: "HTTPServing",
            dependencies: ["NovaBlendMicroHTTPD", "SystemSupport", "WebPrimitives"],
            path: "Tools/novablend-backend/Sources/HTTPServing",
            swiftSettings: settings
        ),
        .target(
            name: "BookingStorage",
            dependencies: ["Contract", "Domain", "JSON", "NovaBlendMetrics", "WebPrimitives"],
            path: "Tools/novablend-backend/Sources/BookingStorage",
            swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .target(
            name: "SQLiteStorage",
            dependencies: [
                "BookingStorage", "NovaBlendMetrics", "NovaBlendSystemSQLite", "Domain",
                "SystemSupport",
            ],
            path: "Tools/novablend-backend/Sources/SQLiteStorage",
            swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .target(
            name: "PostgreSQLStorage",
            dependencies: [
                "BookingStorage", "NovaBlendMetrics", "NovaBlendPQ", "Domain", "SystemSupport",
            ],
            path: "Tools/novablend-backend/Sources/PostgreSQLStorage",
            swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .target(
            name: "BookingStorageTestSupport",
            dependencies: [
                "BookingStorage", "Contract", "Domain", "SystemTestSupport", "DomainTestSupport",
            ],
            path: "Tools/novablend-backend/Sources/BookingStorageTestSupport",
            swiftSettings: settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .target(
            name: "BackendKit",
            dependencies: [
                "HTTPServing", "BookingStorage", "PostgreSQLStorage", "SQLiteStorage", "Contract",
                "Domain", "JSON", "NovaBlendMetrics", "SystemSupport", "WebPrimitives", "Zones",
                "NovaBlendSystemSodium",
            ],
            path: "Tools/novablend-backend/Sources/BackendKit",
            resources: [.embedInCode("Images")],
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendSalonFiles",
            dependencies: ["CommandLineKit", "Contract", "Domain", "JSON", "SystemSupport"],
            path: "Tools/novablend-backend/Sources/NovaBlendSalonFiles",
            swiftSettings: settings
        ),
        .target(
            name: "NovaBlendBackendCommand",
            dependencies: [
                "BackendKit", "BookingStorage", "CommandLineKit", "Contract", "Domain",
                "HTTPServing", "JSON", "NovaBlendSalonFiles", "PostgreSQLStorage", "SQLiteStorage",
                "SystemSupport", "WebPrimitives", "Zones",
            ],
            path: "Tools/novablend-backend/Sources/NovaBlendBackendCommand",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "novablend-backend",
            dependencies: ["NovaBlendBackendCommand"],
            path: "Tools/novablend-backend/Sources/novablend-backend"
        ),
    ],
    cxxLanguageStandard: .cxx17
)
