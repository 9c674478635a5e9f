public import Contract
import Domain
import HTTPServing
import JSON

/// A list that the backend serves, complete or in pages. `?limit=` is the size of a page, and
/// `after=` is the id of the last element of the previous page.
public struct ServedList: Sendable {
    /// The name. The path is `/` and the name.
    public let name: String
    private let encode: @Sendable (_ baseURL: String, PageQuery) throws -> [UInt8]

    /// Creates a list that serves the result of `elements`. `baseURL` is the URL at which
    /// the client reached the backend, for URLs that point to the backend.
    public init<Codec: ListCodec>(
        _ name: String,
        codec: Codec.Type,
        elements: @escaping @Sendable (_ baseURL: String) -> [Codec.Element.Model]
    )
    where
        Codec.Element.Model: Identifiable,
        Codec.Element.Model.ID: LosslessStringConvertible & Sendable
    {
        self.name = name
        encode = { baseURL, query in
            let after = query.after.flatMap { Codec.Element.Model.ID($0) }
            let page = Page<Codec.Element.Model>(after: after, limit: query.limit)
            guard (query.after == nil) == (after == nil),
                let selected = page.elements(in: elements(baseURL))
            else { throw Problem(422, "invalidPage", "after must be the id of an element") }
            return Codec.encode(selected)
        }
    }

    func body(for request: ServerRequest) throws -> [UInt8] {
        try encode(request.baseURL, try PageQuery(request))
    }
}

/// The page parameters of a request.
struct PageQuery {
    var after: String?
    var limit: Int?

    init(_ request: ServerRequest) throws {
        after = request.query["after"]
        guard let text = request.query["limit"] else { return }
        guard let limit = Int(text), limit >= 1 else {
            throw Problem(422, "invalidPage", "limit must be a number of at least 1")
        }
        self.limit = limit
    }
}
