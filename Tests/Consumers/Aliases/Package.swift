// swift-tools-version: 6.2
import PackageDescription

// A program that already uses modules named JSON and MCP. Inside it, ours have other names.
let package = Package(
    name: "Aliases",
    dependencies: [
        .package(path: "Other"),
        .package(url: Context.environment["NOVABLEND_URL"] ?? "", from: "1.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "AliasConsumer",
            dependencies: [
                .product(name: "JSON", package: "Other"),
                .product(name: "MCP", package: "Other"),
                .product(
                    name: "JSONRPC",
                    package: "NovaBlend",
                    moduleAliases: ["JSON": "NovaBlendJSON"]
                ),
                .product(
                    name: "MCP",
                    package: "NovaBlend",
                    moduleAliases: ["JSON": "NovaBlendJSON", "MCP": "NovaBlendMCP"]
                ),
            ]
        )
    ]
)
