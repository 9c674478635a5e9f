import BookingStorage
import Contract
import HTTPServing
import JSON

/// A method of a path: its handler, and a description that routing, `GET /openapi.json`, and
/// `--help` use.
struct Route: Sendable {
    /// Handles a request. A `Problem` that it throws becomes an error response.
    typealias Handler = @Sendable (Routes, RouteCall) async throws -> ServerResponse

    /// What caches may do with successful responses (RFC 9111, section 5.2.2). They never store
    /// errors.
    enum Caching: Sendable {
        /// Personal data, which no cache may store.
        case forbidden
        /// Caches may store the response and must revalidate it before each use.
        case revalidated
    }

    /// Who may use a route.
    enum Access: Sendable {
        /// Everyone, even without a token.
        case `public`
        /// Everyone while the database has no tokens; from then on, callers with a valid token.
        case principal
        /// Everyone. Callers without a valid token get only what is public.
        case partlyPublic
    }

    /// A parameter in the path, the query, or the header.
    struct Parameter: Sendable {
        enum Location: String, Sendable { case path, query, header }

        var name: String
        var location: Location
        var schema: JSONSchema
        /// The meaning of the parameter, in one sentence.
        var summary: String
        var isRequired: Bool

        /// A parameter in the path is required.
        init(
            _ name: String,
            in location: Location,
            _ schema: JSONSchema,
            _ summary: String,
            isRequired: Bool = false
        ) {
            (self.name, self.location) = (name, location)
            (self.schema, self.summary) = (schema, summary)
            self.isRequired = isRequired || location == .path
        }
    }

    /// The body of a request.
    struct Body: Sendable {
        /// The meaning of the body, in one sentence.
        var summary: String
        var schema: JSONSchema
    }

    /// A response to a request that succeeds.
    struct Success: Sendable {
        enum Content: Sendable { case json(JSONSchema), png, empty }

        var status: Int
        /// The meaning of the response, in one sentence.
        var summary: String
        var content: Content = .empty
        var headers: [ResponseHeader] = []
        var links: [Link] = []
    }

    /// An operation on what a response contains. Its parameter `id` is the member `id`.
    struct Link: Sendable {
        /// The name of the operation.
        var name: String
        /// Whether the operation needs the `ETag` of the response as its `If-Match`.
        var needsVersion: Bool

        init(_ name: String, needsVersion: Bool = false) {
            self.name = name
            self.needsVersion = needsVersion
        }
    }

    /// The HTTP method.
    var method: String
    var path: PathTemplate
    /// The name of the operation, unique in the table; generated clients use it as function name.
    var name: String
    /// What the operation does, in one sentence.
    var summary: String
    var parameters: [Parameter] = []
    var body: Body?
    var successes: [Success]
    /// The errors that the handler can return. Errors that any route can return are not listed.
    var problems: [ErrorKind] = []
    var caching = Caching.forbidden
    var access = Access.principal
    /// Whether the route needs no token, is served to other machines even while the database has no
    /// tokens, and has a rate limit of its own, because proxies and monitors rely on it.
    var isAlwaysServed = false
    /// The position of the route among all routes of the table.
    var number = 0
    var handler: Handler
}
