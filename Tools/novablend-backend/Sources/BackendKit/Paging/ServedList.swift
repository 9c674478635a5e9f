import BookingStorage
public import Contract
import Domain
import HTTPServing
import JSON
import WebPrimitives

/// A list that the backend serves, complete or in pages. `?limit=` is the size of a page, and
/// `after=` is the id of the last element of the previous page.
public struct ServedList: Sendable {
    /// The name. The path is `/` and the name.
    public let name: String
    private let schema: JSONSchema
    private let respond: @Sendable (ServerRequest) throws -> ServerResponse

    /// Creates a list that serves the result of `elements`. `baseURL` is the URL at which the
    /// client reached the backend, for URLs that point to the backend.
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
        schema = Codec.schema
        respond = { request in
            let text = request.query["after"]
            let after = text.flatMap { Codec.Element.Model.ID($0) }
            let limit = try PageQuery.limit(of: request)
            let rest = Page<Codec.Element.Model>(after: after, limit: nil)
            guard (text == nil) == (after == nil),
                let rest = rest.elements(in: elements(request.baseURL))
            else { throw Problem(.invalidPage, "after must be the id of an element") }
            let page = Array(rest.prefix(limit ?? rest.count))
            let last = page.count < rest.count ? page.last : nil
            return ServerResponse(json: Codec.encode(page)).linkingNext(
                last.map { "limit=\(page.count)&after=\($0.id.description.percentEncoded)" }
            )
        }
    }

    var route: Route {
        Route(
            method: "GET",
            path: PathTemplate("/\(name)"),
            name: "list\(name.prefix(1).uppercased())\(name.dropFirst())",
            summary: "Lists the \(name).",
            parameters: [
                .limit,
                Route.Parameter(
                    "after",
                    in: .query,
                    Route.Parameter.visibleText,
                    "The id of the last element of the previous page."
                ),
            ],
            successes: [.page(schema, "The list, or a page of it.")],
            problems: [.invalidPage],
            caching: .revalidated,
            access: .public,
            handler: { _, call in try respond(call.request) }
        )
    }
}
