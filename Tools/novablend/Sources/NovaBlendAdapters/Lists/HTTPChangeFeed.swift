import Domain
import JSON
package import Networking
import NovaBlendAccounts

/// A server's feed of changes (`GET /changes`).
package struct HTTPChangeFeed: Sendable {
    /// What has changed since a cursor, as the server sent it.
    struct Page {
        /// The cursor for the next request.
        var cursor: String
        /// The members of the response.
        var object: JSONObject

        /// The ids of the deleted elements of `kind`.
        func deleted(_ kind: String) throws(JSONError) -> Set<String> {
            var ids: Set<String> = []
            for deletion in try object.required("deleted").array() {
                let deletion = try deletion.object()
                guard try deletion.required("kind").string() == kind else { continue }
                ids.insert(try deletion.required("id").string())
            }
            return ids
        }
    }

    /// The maximum size of a cursor. A longer cursor is not stored.
    private static let maximumCursorSize = 4_096
    private static let cursorHeader = "Changes-Cursor"

    private let url: String?
    private let client: any HTTPClient
    private let waiter: any HTTPClient
    private let limits: ListLimits

    /// Creates a feed. If the URL is nil, no request is sent. `waiter` sends the requests that wait
    /// for a change, so the server may take up to ``maximumWait`` to respond.
    package init(
        url: String?,
        client: any HTTPClient,
        waiter: any HTTPClient,
        limits: ListLimits
    ) {
        (self.url, self.client, self.waiter) = (url, client, waiter)
        self.limits = limits
    }

    /// How long a server waits at most for a change.
    package static let maximumWait = Duration.seconds(25)

    var isConfigured: Bool { url != nil }

    /// The cursor that came with a list; nil if it cannot be stored, or the list has none.
    static func cursor(of list: HTTPResponse) -> String? {
        list.headers[cursorHeader].flatMap { isValid($0) ? $0 : nil }
    }

    /// What has changed since `cursor`. If nothing has, the server waits for the next change, for
    /// `wait` or ``maximumWait`` at most, whichever is shorter.
    ///
    /// - Returns: A page of changes. Nil if the server cannot say, because it has no feed any more or
    ///   the cursor is too old, or if the response is not valid.
    func changes(
        since cursor: String,
        waiting wait: Duration
    ) async throws(ServerError) -> Page? {
        guard let url else { return nil }
        var items = [(name: "since", value: cursor)]
        let seconds = min(wait, Self.maximumWait).components.seconds
        if seconds > 0 { items.append((name: "wait", value: "\(seconds)")) }
        var request = HTTPRequest(
            method: .get,
            url: EndpointURL(url).adding(items).text,
            headers: ["Accept": "application/json"]
        )
        request.staysOnOrigin = true
        request.maximumResponseBytes = limits.maximumBytes
        request.totalTimeout = limits.pageTimeout
        if seconds > 0 { request.totalTimeout = max(limits.pageTimeout, .seconds(60)) }
        let response = try await (seconds > 0 ? waiter : client).response(to: request)
        switch response.status {
        case 200: return try? Self.page(response)
        case 400...499 where ![401, 403, 407, 408, 429].contains(response.status): return nil
        case 501: return nil
        default: throw ServerError(unexpected: response)
        }
    }

    private static func page(_ response: HTTPResponse) throws(JSONError) -> Page? {
        let limits = JSONLimits(maximumBytes: response.body.count)
        let document = try JSONDocument(received: response.body, limits: limits)
        let object = try document.root.object()
        let cursor = try object.required("cursor").string()
        return isValid(cursor) ? Page(cursor: cursor, object: object) : nil
    }

    private static func isValid(_ cursor: String) -> Bool {
        (1...maximumCursorSize).contains(cursor.utf8.count) && !cursor.utf8.contains(0x0A)
    }
}
