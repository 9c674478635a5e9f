import BookingStorage
import Contract
import Domain
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

/// The parameters that several routes have.
extension Route.Parameter {
    static let salonID = Self("id", in: .path, SalonIDCodec.schema, "The id of the salon.")
    static let appointmentID = Self("id", in: .path, visibleText, "The id of the appointment.")
    static let limit = Self(
        "limit",
        in: .query,
        JSONSchema.integer.adding("minimum", JSONFragment { $0.integer(1) }),
        "The maximum number of elements on the page. For salons and appointments, it is at most 1,000."
    )
    static let cursor = Self(
        "cursor",
        in: .query,
        cursorText,
        "The position from the Link of the previous page."
    )
    static let ifMatch = Self(
        "If-Match",
        in: .header,
        .string,
        "The entity tag of the version to change, or *.",
        isRequired: true
    )
    static let ifNoneMatch = Self(
        "If-None-Match",
        in: .header,
        .string,
        "Entity tags of known versions: the response has no body if the current version is one of them."
    )
    static let idempotencyKey = Self(
        "Idempotency-Key",
        in: .header,
        idempotencyKeySchema,
        "Makes it safe to repeat the request with the same key."
    )

    /// The text of a cursor.
    static let cursorText = JSONSchema.string(pattern: "^[A-Za-z0-9_-]+$")

    /// Text without control characters, which are rejected in every URL.
    static let visibleText = JSONSchema.string(pattern: #"^[^\x00-\x1F\x7F]+$"#)

    static let idempotencyKeySchema = JSONSchema.string(
        pattern: #"^[\x21-\x7E]+$"#,
        maximumLength: BookingRules.maximumKeyBytes
    )
}

/// The responses that several routes have.
extension Route.Success {
    /// A page of a list. `isFollowed`: the feed has its changes.
    static func page(
        _ schema: JSONSchema,
        _ summary: String,
        isFollowed: Bool = false
    ) -> Route.Success {
        Route.Success(
            status: 200,
            summary: summary,
            content: .json(schema),
            headers: [.entityTag, .link] + (isFollowed ? [.changesCursor] : [])
        )
    }

    /// Something with a version.
    static func entity(_ schema: JSONSchema, _ summary: String) -> Route.Success {
        Route.Success(
            status: 200,
            summary: summary,
            content: .json(schema),
            headers: [.entityTag]
        )
    }

    /// Something new with a version.
    static func created(
        _ schema: JSONSchema,
        _ summary: String,
        links: [Route.Link]
    ) -> Route.Success {
        Route.Success(
            status: 201,
            summary: summary,
            content: .json(schema),
            headers: [.entityTag, .location],
            links: links
        )
    }

    /// The response to a conditional request if the client has the current version.
    static let notModified = Route.Success(
        status: 304,
        summary: "The client has the current version.",
        headers: [.entityTag]
    )
}

extension Route {
    /// All parameters, including those of conditional requests.
    var allParameters: [Parameter] {
        method == "GET" ? parameters + [.ifNoneMatch] : parameters
    }

    /// All responses to requests that succeed.
    var allSuccesses: [Success] {
        method == "GET" ? successes + [.notModified] : successes
    }

    /// All errors, including those that any route can have.
    var allProblems: [ErrorKind] {
        var kinds = problems
        if body != nil { kinds += [.unsupportedMediaType, .tooLarge] }
        if method != "GET" { kinds.append(.foreignOrigin) }
        if !isAlwaysServed { kinds += [.notAuthenticated, .foreignHost] }
        return kinds
            + [
                .tooManyRequests, .malformedRequest, .internalError, .overloaded, .stopping,
                .closing,
            ]
    }
}

/// The path of a route, such as `/salons/{id}/availability`. It has at most one parameter.
///
/// A path matches exactly: `/salons/` and `//salons` do not match `/salons`. Paths are compared
/// after percent-decoding, so a slash in a parameter looks the same as a separator. Therefore a
/// parameter contains no slash, unless it is the rest of the path.
struct PathTemplate: Sendable, Hashable {
    /// The template as OpenAPI writes it.
    let description: String
    /// The name of the parameter; nil if it has none.
    let parameter: String?
    private let prefix: [UInt8]
    private let suffix: [UInt8]
    private let isRestOfPath: Bool

    /// Creates a template. If `isRestOfPath`, the parameter ends the template and may contain
    /// slashes.
    init(_ text: String, isRestOfPath: Bool = false) {
        description = text
        self.isRestOfPath = isRestOfPath
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "{" || $0 == "}" }
        prefix = Array(parts[0].utf8)
        parameter = parts.count == 3 ? String(parts[1]) : nil
        suffix = parts.count == 3 ? Array(parts[2].utf8) : []
    }

    /// The value of the parameter in `path`, which is empty if the template has no parameter; nil
    /// if the path does not match.
    func match(_ path: String) -> String? {
        var path = path
        return path.withUTF8 { bytes in
            let length = bytes.count - prefix.count - suffix.count
            guard parameter == nil ? length == 0 : length > 0, bytes.starts(with: prefix),
                bytes.suffix(suffix.count).elementsEqual(suffix)
            else { return nil }
            let value = bytes.dropFirst(prefix.count).prefix(length)
            if !isRestOfPath, value.contains(UInt8(ascii: "/")) { return nil }
            return String(decoding: value, as: UTF8.self)
        }
    }
}

/// All routes, grouped by their paths.
struct RouteTable: Sendable {
    /// The routes of one path.
    struct Path: Sendable {
        let template: PathTemplate
        fileprivate(set) var routes: [Route]

        /// The supported methods, for `Allow`. A path with GET also supports HEAD.
        var methods: [String] {
            routes.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] } + ["OPTIONS"]
        }

        /// The route of a method; nil if the path does not support it.
        func route(_ method: String) -> Route? {
            let method = method == "HEAD" ? "GET" : method
            return routes.first { $0.method == method }
        }
    }

    /// The paths, in the order of their first routes.
    private(set) var paths: [Path] = []
    /// The routes, in the order of their numbers.
    private(set) var routes: [Route] = []

    /// Creates a table. If two routes have the same method and path, the first one counts.
    init(_ routes: [Route]) {
        for var route in routes {
            route.number = self.routes.count
            self.routes.append(route)
            if let index = paths.firstIndex(where: { $0.template == route.path }) {
                paths[index].routes.append(route)
            } else {
                paths.append(Path(template: route.path, routes: [route]))
            }
        }
    }

    /// The path that matches, and the value of its parameter; nil if none matches.
    func find(_ path: String) -> (path: Path, value: String)? {
        for candidate in paths {
            if let value = candidate.template.match(path) { return (candidate, value) }
        }
        return nil
    }
}
