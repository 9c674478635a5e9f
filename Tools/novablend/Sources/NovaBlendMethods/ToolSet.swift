/// A group of methods that agents get together, as tools.
package struct ToolSet: Sendable, Hashable {
    package let name: String
    /// Whether the tools only access data on this machine.
    package let isLocal: Bool

    package init(name: String, isLocal: Bool = false) {
        self.name = name
        self.isLocal = isLocal
    }

    /// The set of the tools that an agent needs to book appointments.
    package static let booking = ToolSet(name: "booking")
    /// The set of the tools that change salons.
    package static let admin = ToolSet(name: "admin")
    /// The set of the tools for the cache of this program.
    package static let cache = ToolSet(name: "cache", isLocal: true)
}

extension ListedResource {
    /// The set of the tools of this list.
    package var toolSet: ToolSet { ToolSet(name: name) }
}
