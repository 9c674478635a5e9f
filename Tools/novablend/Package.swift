// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let packages = [
    "Domain", "JSON", "Contract", "Zones", "Networking", "Persistence", "JSONRPC", "MCP",
    "ICalendar", "SystemSupport", "CommandLineKit",
]

/// The products of these packages, each of which has the name of its package.
func products(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: $0) }
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

let systemTestSupport = Target.Dependency.product(
    name: "SystemTestSupport",
    package: "SystemSupport"
)

let webPrimitives = Target.Dependency.product(name: "WebPrimitives", package: "Networking")

let domainTestSupport = Target.Dependency.product(name: "DomainTestSupport", package: "Domain")

let package = Package(
    name: "novablend",
    products: [
        .executable(name: "novablend", targets: ["novablend"]),
        .library(name: "NovaBlendEngine", targets: ["NovaBlendEngine"]),
    ],
    dependencies: packages.map { .package(path: "../../Packages/\($0)") },
    targets: [
        library("NovaBlendAccounts", [webPrimitives] + products("Networking", "SystemSupport")),
        library("NovaBlendConfiguration", ["NovaBlendAccounts"] + products("Networking")),
        library(
            "NovaBlendAdapters",
            ["NovaBlendAccounts", webPrimitives]
                + products(
                    "Contract",
                    "Domain",
                    "JSON",
                    "Networking",
                    "Persistence",
                    "SystemSupport"
                )
        ),
        library(
            "NovaBlendChanges",
            ["NovaBlendAdapters"]
                + products("Contract", "Domain", "Persistence")
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
        library(
            "NovaBlendMCPAdapter",
            ["NovaBlendAdapters", "NovaBlendMethods", "NovaBlendTextSearch"]
                + products("Domain", "JSON", "JSONRPC", "MCP")
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
                    "JSONRPC",
                    "MCP",
                    "Networking",
                    "Persistence",
                    "Zones"
                )
        ),
        library(
            "NovaBlendDoctor",
            [
                "NovaBlendAccounts", "NovaBlendAdapters", "NovaBlendConfiguration", webPrimitives,
            ]
                + products(
                    "Contract",
                    "Domain",
                    "JSON",
                    "Networking",
                    "Persistence",
                    "SystemSupport",
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
                    "SystemSupport",
                    "Zones"
                )
        ),
        .executableTarget(name: "novablend", dependencies: ["NovaBlendCommands"]),
        tests(of: "NovaBlendAccounts", [systemTestSupport] + products("Domain", "Networking")),
        tests(of: "NovaBlendConfiguration", [webPrimitives] + products("Networking")),
        tests(
            of: "NovaBlendAdapters",
            ["NovaBlendAccounts", domainTestSupport, systemTestSupport]
                + products("Contract", "Domain", "JSON", "Networking", "Persistence")
        ),
        tests(
            of: "NovaBlendChanges",
            [domainTestSupport, systemTestSupport] + products("Persistence")
        ),
        tests(of: "NovaBlendTextSearch"),
        tests(
            of: "NovaBlendMethods",
            [domainTestSupport, systemTestSupport]
                + products("Domain", "ICalendar", "JSON", "JSONRPC")
        ),
        tests(
            of: "NovaBlendDoctor",
            ["NovaBlendAdapters", systemTestSupport, webPrimitives]
                + products("Domain", "Networking", "Persistence")
        ),
        tests(
            of: "NovaBlendEngine",
            ["NovaBlendAdapters", "NovaBlendMethods"] + products("JSON", "JSONRPC")
        ),
        tests(
            of: "NovaBlendCommands",
            ["NovaBlendAccounts", "NovaBlendConfiguration", "NovaBlendMethods"]
                + products("CommandLineKit", "Domain", "JSON", "JSONRPC", "Zones")
        ),
    ]
)
