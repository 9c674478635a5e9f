import Domain
import JSONRPC
import NovaBlendAdapters

/// What a list is, whatever reads it.
struct ListDescription: Sendable {
    let name: String
    let title: String
    let policy: CachePolicy
    let schema: ObjectSchema
    let dependencies: ListDependencies
}
