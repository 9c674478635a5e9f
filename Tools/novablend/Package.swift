// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let packages = [
    "Domain", "JSON", "CivilTime", "Contract", "Networking", "Persistence", "JSONRPC", "MCP",
    "SystemSupport", "CommandLineKit",
]

/// The packages of products that do not have the name of their package.
let packageNames = [
    "DomainTestSupport": "Domain",
    "ICalendar": "CivilTime",
    "NovaBlendSystemSodium": "SystemSupport",
    "PersistenceTestSupport": "Persistence",
    "SystemTestSupport": "SystemSupport",
    "WebPrimitives": "Networking",
    "Zones": "CivilTime",
]

func products(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: packageNames[$0] ?? $0) }
}

/// A library target. Targets below may depend on those above.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of a target; they may import all of `dependencies`.
func tests(of target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(target)Tests",
        dependencies: [.target(name: target)] + dependencies,
        swiftSettings: settings
    )
}

let package = Package(
    name: "novablend",
    products: [
        .executable(name: "novablend", targets: ["novablend"]),
        .library(name: "NovaBlendEngine", targets: ["NovaBlendEngine"]),
    ],
    dependencies: packages.map { .package(path: "../../Packages/\($0)") },
    targets: [
        library(
            "NovaBlendAccounts",
            products("Contract", "Networking", "SystemSupport", "WebPrimitives")
        ),
        library(
            "NovaBlendAdapters",
            ["NovaBlendAccounts"]
                + products(
                    "Contract",
                    "Domain",
                    "JSON",
                    "Networking",
                    "NovaBlendSystemSodium",
                    "Persistence",
                    "SystemSupport",
                    "WebPrimitives"
                )
        ),
        library(
            "NovaBlendConfiguration",
            ["NovaBlendAccounts", "NovaBlendAdapters"] + products("Networking", "SystemSupport")
        ),
        library(
            "NovaBlendChanges",
            ["NovaBlendAdapters"]
                + products("Domain", "Persistence")
        ),
        library("NovaBlendTextSearch"),
        library(
            "NovaBlendMethods",
            ["NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendChanges", "NovaBlendTextSearch"]
                + products(
                    "Contract",
                    "Domain",
                    "ICalendar",
                    "JSON",
                    "JSONRPC",
                    "Persistence",
                    "SystemSupport"
                )
        ),
        .target(name: "NovaBlendApps"),
        library(
            "NovaBlendMCPAdapter",
            ["NovaBlendAdapters", "NovaBlendApps", "NovaBlendMethods"]
                + products("Contract", "Domain", "JSON", "JSONRPC", "MCP")
        ),
        library(
            "NovaBlendEngine",
            [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendChanges",
                "NovaBlendConfiguration", "NovaBlendMCPAdapter", "NovaBlendMethods",
            ]
                + products(
                    "Contract",
                    "Domain",
                    "JSON",
                    "JSONRPC",
                    "MCP",
                    "Networking",
                    "Persistence",
                    "SystemSupport",
                    "WebPrimitives",
                    "Zones"
                )
        ),
        library(
            "NovaBlendDoctor",
            ["NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendConfiguration"]
                + products(
                    "Contract",
                    "Domain",
                    "JSON",
                    "Networking",
                    "Persistence",
                    "SystemSupport",
                    "WebPrimitives",
                    "Zones"
                )
        ),
        library(
            "NovaBlendCommands",
            [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendConfiguration",
                "NovaBlendDoctor", "NovaBlendEngine", "NovaBlendMethods", "NovaBlendTextSearch",
            ]
                + products(
                    "CommandLineKit",
                    "Contract",
                    "Domain",
                    "JSON",
                    "JSONRPC",
                    "MCP",
                    "Networking",
                    "SystemSupport",
                    "Zones"
                )
        ),
        .executableTarget(name: "novablend", dependencies: ["NovaBlendCommands"]),
        tests(
            of: "NovaBlendAccounts",
            products("Domain", "Networking", "SystemTestSupport", "WebPrimitives")
        ),
        tests(
            of: "NovaBlendAdapters",
            ["NovaBlendAccounts"]
                + products(
                    "Contract",
                    "Domain",
                    "DomainTestSupport",
                    "JSON",
                    "Networking",
                    "Persistence",
                    "PersistenceTestSupport",
                    "SystemTestSupport"
                )
        ),
        tests(
            of: "NovaBlendChanges",
            products(
                "DomainTestSupport",
                "Persistence",
                "PersistenceTestSupport",
                "SystemTestSupport"
            )
        ),
        tests(of: "NovaBlendTextSearch"),
        tests(
            of: "NovaBlendMethods",
            products(
                "Contract",
                "Domain",
                "DomainTestSupport",
                "ICalendar",
                "JSON",
                "JSONRPC",
                "SystemSupport",
                "SystemTestSupport"
            )
        ),
        tests(
            of: "NovaBlendDoctor",
            ["NovaBlendAdapters"]
                + products(
                    "Domain",
                    "Networking",
                    "Persistence",
                    "SystemTestSupport",
                    "WebPrimitives"
                )
        ),
        tests(
            of: "NovaBlendEngine",
            ["NovaBlendAdapters", "NovaBlendMethods"] + products("JSON", "JSONRPC")
        ),
        tests(
            of: "NovaBlendCommands",
            ["NovaBlendAccounts", "NovaBlendConfiguration", "NovaBlendMethods"]
                + products(
                    "CommandLineKit",
                    "Contract",
                    "Domain",
                    "JSON",
                    "JSONRPC",
                    "SystemSupport",
                    "Zones"
                )
        ),
    ]
)
