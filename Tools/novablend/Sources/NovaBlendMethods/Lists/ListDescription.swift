import Domain
import JSON
import NovaBlendAdapters

/// A list, without the type of its elements.
struct ListDescription: Sendable {
    let name: String
    let title: String
    let policy: CachePolicy
    let schema: ObjectSchema
    let dependencies: ListDependencies

    /// The name of the method that lists the elements.
    var listMethod: String { "\(name)/list" }
}
