// swift-tools-version: 6.2
import PackageDescription

// test.sh creates this repository from the working tree and tags it.
let url = Context.environment["NOVABLEND_URL"] ?? ""

/// Each library, with the other products that its consumer imports.
let libraries: [(name: String, imports: [String])] = [
    ("SystemSupport", []),
    ("SystemTestSupport", []),
    ("JSON", []),
    ("CivilTime", []),
    ("Domain", []),
    ("DomainTestSupport", ["Domain"]),
    ("Contract", ["Domain", "JSON"]),
    ("Zones", ["CivilTime"]),
    ("WebPrimitives", []),
    ("Networking", []),
    ("Persistence", []),
    ("PersistenceTestSupport", ["Persistence"]),
    ("JSONRPC", ["JSON"]),
    ("JSONRPCTestSupport", ["JSON", "JSONRPC"]),
    ("MCP", ["JSON", "JSONRPC"]),
    ("ICalendar", ["CivilTime"]),
    ("CommandLineKit", []),
    ("NovaBlendEngine", ["JSONRPC"]),
    ("HTTPServing", []),
    ("BookingStorage", []),
    ("SQLiteStorage", ["BookingStorage", "Domain", "DomainTestSupport"]),
    ("PostgreSQLStorage", []),
    ("BookingStorageTestSupport", ["SQLiteStorage"]),
    ("BackendKit", []),
]

let package = Package(
    name: "Consumers",
    dependencies: [
        .package(url: url, from: "1.0.0")
    ],
    targets: libraries.map { library in
        .executableTarget(
            name: "\(library.name)Consumer",
            dependencies: ([library.name] + library.imports).map {
                .product(name: $0, package: "NovaBlend")
            }
        )
    }
)
