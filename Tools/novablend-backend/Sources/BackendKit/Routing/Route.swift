import HTTPServing
import JSON

/// A method of a path: its handler, and a description that routing, `GET /openapi.json`, and
/// `--help` use.
struct Route: Sendable {
    /// Handles a request. A `Problem` or `StoreError` that it throws becomes an error response.
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
        /// Everyone, also without a token.
        case `public`
        /// Those who have a valid token, as soon as the database has tokens.
        case principal
    }

    /// A parameter in the path, the query, or the header.
    struct Parameter: Sendable {
        enum Location: String, Sendable { case path, query, header }

        var name: String
        var location: Location
        var schema: JSONSchema
        /// Its meaning, in one sentence.
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
        /// Its meaning, in one sentence.
        var summary: String
        var schema: JSONSchema
    }

    /// A response to a request that succeeds.
    struct Success: Sendable {
        enum Content: Sendable { case json(JSONSchema), png, empty }

        var status: Int
        /// Its meaning, in one sentence.
        var summary: String
        var content: Content = .empty
        var headers: [ResponseHeader] = []
        var links: [Link] = []
    }

    /// An operation on what a response contains. Its parameter `id` is the member `id`.
    struct Link: Sendable {
        /// The name of the operation.
        var name: String
        /// Whether its `If-Match` is the `ETag` of the response.
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
    /// What it does, in one sentence.
    var summary: String
    var parameters: [Parameter] = []
    var body: Body?
    var successes: [Success]
    /// The errors of the handler. Those that any route can have are not listed.
    var problems: [Problem.Kind] = []
    var caching = Caching.forbidden
    var access = Access.principal
    /// Whether it is served without a token also to other machines while there are no tokens, and has
    /// a limit of its own, because proxies and monitors rely on it.
    var isAlwaysServed = false
    /// Its position among all routes of the table.
    var number = 0
    var handler: Handler
}
