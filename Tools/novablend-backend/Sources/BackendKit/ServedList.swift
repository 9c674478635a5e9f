public import Contract
import Domain
import JSON

/// A list that the backend serves below its name, whole or by the page: `?limit=` and `after=` say
/// which, `after` being the id of the last element of the page before.
public struct ServedList: Sendable {
    /// The name, which is the path too.
    public let name: String
    private let encode: @Sendable (_ origin: String, ServedPage) throws -> [UInt8]

    /// Serves what `elements` makes; `origin` is where the client reached the backend, for URLs of
    /// its own.
    public init<Codec: ListCodec>(
        _ name: String,
        codec: Codec.Type,
        elements: @escaping @Sendable (_ origin: String) -> [Codec.Element.Model]
    )
    where
        Codec.Element.Model: Identifiable,
        Codec.Element.Model.ID: LosslessStringConvertible & Sendable
    {
        self.name = name
        encode = { origin, asked in
            let after = asked.after.flatMap { Codec.Element.Model.ID($0) }
            let page = Page<Codec.Element.Model>(after: after, limit: asked.limit)
            guard (asked.after == nil) == (after == nil),
                let cut = page.elements(in: elements(origin))
            else { throw Problem(422, "invalidPage", "after must be the id of an element") }
            return Codec.encode(cut)
        }
    }

    func body(for request: ServerRequest) throws -> [UInt8] {
        try encode(request.origin, try ServedPage(request))
    }
}

/// The page that a request asks for.
struct ServedPage {
    var after: String?
    var limit: Int?

    init(_ request: ServerRequest) throws {
        after = request.query["after"]
        guard let text = request.query["limit"] else { return }
        guard let limit = Int(text), limit >= 1 else {
            throw Problem(422, "invalidPage", "limit must be a number from 1")
        }
        self.limit = limit
    }
}
