// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Other",
    products: [
        .library(name: "JSON", targets: ["JSON"]),
        .library(name: "MCP", targets: ["MCP"]),
    ],
    targets: [
        .target(name: "JSON"),
        .target(name: "MCP"),
    ]
)
