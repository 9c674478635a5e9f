/// A group of methods that agents get together, as tools.
package struct ToolSet: Sendable, Hashable {
    package let name: String

    package init(name: String) { self.name = name }

    /// What an agent needs to book appointments.
    package static let booking = ToolSet(name: "booking")
    /// Changes of salons.
    package static let admin = ToolSet(name: "admin")
    /// The cache of this program.
    package static let cache = ToolSet(name: "cache")
}

extension ListedResource {
    /// The tools of this list.
    package var toolSet: ToolSet { ToolSet(name: name) }
}
