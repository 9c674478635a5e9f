public import Contract
public import Domain
public import JSONRPC

/// A resource that is a list: how it is called, read, kept and searched. Its methods, its place in
/// the cache and its option on the command line follow from that.
public struct ListedResource: Sendable {
    /// How a list is asked for in parts.
    public enum Paging: Sendable, Hashable {
        /// It is loaded whole, and cut here: `query`, `limit`, `cursor`.
        case local
        /// Its remote is asked for parts: `limit`, `afterId`.
        case remote
    }

    /// Its name: of its methods, of its path below the base URL, of what is kept of it.
    public let name: String
    private let serve: @Sendable (ListDependencies) -> Served

    /// Describes a resource. `schema` is that of one element, `text` what a query looks through;
    /// with `image`, which gives the URL of an element's image, there is a method that gives its data.
    public init<Codec: ListCodec>(
        _ name: String,
        title: String,
        codec: Codec.Type,
        policy: CachePolicy,
        schema: ObjectSchema,
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
            // Nothing here has the codec in its type yet: see `ListMethod`.
            typealias List = ListMethod<Codec>
            let description = ListDescription(
                name: name,
                title: title,
                policy: policy,
                schema: schema,
                dependencies: dependencies
            )
            var methods = [
                paging == .remote ? List.paged(description, text) : List.whole(description, text)
            ]
            if let image {
                let images = ImageMethod(name: name, dependencies: dependencies) { url in
                    let list = LoadedList<Codec>(description: description).whole.cachedValue() ?? []
                    return list.contains { image($0) == url }
                }
                methods.append(images.method)
            }
            return Served(
                methods: methods,
                validation: .init(name, LoadedList<Codec>(description: description).whole),
                revalidate: { await LoadedList<Codec>(description: description).whole.revalidate() }
            )
        }
    }

    package func served(with dependencies: ListDependencies) -> Served { serve(dependencies) }

    /// What a resource is served with.
    package struct Served {
        package let methods: [Method]
        package let validation: CacheMethods.Validation
        package let revalidate: @Sendable () async -> Void
    }
}
