public import Contract
public import Domain
package import JSONRPC
package import NovaBlendAdapters
package import NovaBlendChanges
import SystemSupport

/// A resource that is a list: its name, payload, cache policy, and searchable text. The program derives
/// the list's methods, cache file, and command-line option from these.
public struct ListedResource: Sendable {
    /// Who divides the list into pages.
    public enum Paging: Sendable, Hashable {
        /// This program loads the whole list and returns pages of it, selected with `query`,
        /// `limit`, and `cursor`.
        case local
        /// The server returns pages, selected with `limit` and `afterId`.
        case server
    }

    /// The name of the resource: the first part of the names of its methods, its path below the
    /// base URL, and its name in the cache.
    public let name: String
    private let serve: @Sendable (ListDependencies) -> Served

    /// Describes a resource. `text` returns the texts of an element that
    /// a query searches. `image` returns the URL of its image; unless `image` is nil, the resource has a
    /// method that returns images.
    public init<Codec: ListCodec>(
        _ name: String,
        title: String,
        codec: Codec.Type,
        policy: CachePolicy,
        paging: Paging = .local,
        image: (@Sendable (Codec.Element.Model) -> ImageURL?)? = nil,
        text: @escaping @Sendable (Codec.Element.Model) -> [String?] = { _ in [] }
    )
    where
        Codec.Element.Model: Identifiable,
        Codec.Element.Model.ID: LosslessStringConvertible & Sendable
    {
        self.name = name
        serve = { dependencies in
            let list = ListDeclaration(name, policy: policy)
            let description = ListDescription(
                list: list,
                title: title,
                schema: LazyValue {
                    Schemas.element(
                        Codec.Element.schema,
                        image: image == nil ? "a URL" : "the URL for \(name)/image"
                    )
                },
                dependencies: dependencies
            )
            var methods = [
                paging == .server
                    ? ListMethod<Codec>.paged(description, text)
                    : ListMethod<Codec>.whole(description, text)
            ]
            if let image {
                let images = ImageMethod(list: description) { url in
                    LoadedList<Codec>(list, dependencies).whole.cachedValue()?
                        .contains { image($0) == url } ?? false
                }
                methods.append(images.method)
            }
            return Served(list, of: Codec.self, dependencies, methods: methods)
        }
    }

    package func served(with dependencies: ListDependencies) -> Served { serve(dependencies) }

    /// What serving a list adds to the program.
    package struct Served: Sendable {
        package let name: String
        /// The methods that follow from the declaration of the list.
        package let methods: [Method]
        package let cached: CachedResource
        /// The list as it follows the changes at its server; nil if it does not.
        package let live: LiveList?
        package let revalidate: @Sendable () async -> Void
        /// The provenance of the cached list.
        package let provenance: @Sendable (_ fetchedAt: Timestamp, _ isComplete: Bool) -> Provenance

        /// Serves `list`, whose codec is `codec`, with `methods`.
        package init<Codec: PagedCodec>(
            _ list: ListDeclaration,
            of codec: Codec.Type,
            _ dependencies: ListDependencies,
            methods: [Method] = []
        ) {
            // Create the `LoadedList` only when a method is called; `ListMethod` says why.
            @Sendable func loader() -> ResourceLoader<Codec.Model> {
                LoadedList<Codec>(list, dependencies).whole
            }
            name = list.name
            self.methods = methods
            cached = CachedResource(list.name, loader(), count: Codec.count)
            live = list.kind == nil ? nil : LiveList(list.name, loader())
            revalidate = { _ = try? await loader().update() }
            provenance = { loader().provenance(fetchedAt: $0, isComplete: $1) }
        }
    }
}
