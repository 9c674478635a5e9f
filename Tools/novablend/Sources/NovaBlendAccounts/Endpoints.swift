import Contract
import WebPrimitives

/// The URLs of the server. They are below a base URL or set individually.
public struct Endpoints: Sendable, Hashable {
    /// The URL of the list of salons.
    public var salons: String? {
        get { url(of: SalonListCodec.name) }
        set { lists[SalonListCodec.name] = newValue }
    }
    /// The URL at which appointments are listed and booked.
    public var appointments: String? {
        get { url(of: AppointmentListCodec.name) }
        set { lists[AppointmentListCodec.name] = newValue }
    }
    /// The URL of a salon's slots, with `{id}` for the salon's id; nil if the server has no slots.
    public var availability: String?
    /// The URL at which times are held; nil if the server has no holds.
    public var holds: String?
    /// The URL of the feed of changes to salons and appointments; nil if the server has none.
    public var changes: String?
    /// The URLs of lists that are set individually, by the names of their resources.
    public var lists: [String: String] = [:]
    private var base: EndpointURL?

    /// Creates endpoints without URLs.
    public init() {}

    /// Creates endpoints with the default paths below `base`, each with the query of `base`.
    public init(base: String) {
        let base = EndpointURL(base)
        self.base = base
        availability = base.appending(path: "salons/{id}/availability").text
        holds = base.appending(path: "holds").text
        changes = base.appending(path: "changes").text
    }

    /// Whether one of the URLs has this origin. Parsing them in advance would slow down the start.
    package func contain(_ origin: Origin) -> Bool {
        all.contains { Origin($0) == origin }
    }

    /// All configured URLs.
    public var all: [String] {
        [base?.text, salons, appointments, availability, holds, changes].compactMap(\.self)
            + lists.values
    }

    /// The URL of the list `name`; nil if none is configured.
    package func url(of name: String) -> String? {
        lists[name] ?? base?.appending(path: name).text
    }
}

/// A URL of the server, for appending path segments and query items. It drops the fragment, which
/// is never sent (RFC 3986, section 3.5).
package struct EndpointURL: Sendable, Hashable {
    /// The part of the URL before the query.
    private var location: String
    /// The query without its question mark; nil if the URL has no query.
    private var query: String?

    /// Splits `text`, which need not be a valid URL.
    package init(_ text: String) {
        let sent = text.prefix { $0 != "#" }
        let parts = sent.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        location = String(parts[0])
        query = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }

    /// The URL with `path` appended to its path after one slash. The query remains at the end.
    /// `path` is not percent-encoded.
    package func appending(path: String) -> EndpointURL {
        var longer = withoutSlashes
        longer.location += "/"
        longer.location += String(Substring(path.utf8.drop { $0 == Self.slash }))
        return longer
    }

    /// The URL without the last segment of its path.
    package var parent: EndpointURL {
        var shorter = withoutSlashes
        let host = shorter.location.firstRange(of: "://")?.upperBound
        let path = shorter.location[(host ?? shorter.location.startIndex)...]
        if let slash = path.lastIndex(of: "/") { shorter.location.removeSubrange(slash...) }
        return shorter
    }

    /// The path without slashes at its end.
    package var path: String {
        let location = withoutSlashes.location
        let host = location.firstRange(of: "://")?.upperBound ?? location.startIndex
        return String(location[host...].drop { $0 != "/" })
    }

    private static let slash = UInt8(ascii: "/")

    /// The URL without slashes at the end of its path.
    private var withoutSlashes: EndpointURL {
        var shorter = self
        while shorter.location.utf8.last == Self.slash { shorter.location.removeLast() }
        return shorter
    }

    /// The URL with `items` appended to its query, percent-encoded.
    package func adding(_ items: [(name: String, value: String)]) -> EndpointURL {
        let added = items.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
        var longer = self
        let all = (query.map { [$0] } ?? []) + added
        longer.query = all.isEmpty ? nil : all.joined(separator: "&")
        return longer
    }

    /// The URL without the items of its query that are equal to `item`, percent-encoded.
    package func removing(_ item: (name: String, value: String)) -> EndpointURL {
        let removed = "\(item.name.percentEncoded)=\(item.value.percentEncoded)"
        var shorter = self
        let rest = query?.split(separator: "&", omittingEmptySubsequences: false)
            .filter { $0 != removed }
        shorter.query = rest.map { $0.joined(separator: "&") }.flatMap { $0.isEmpty ? nil : $0 }
        return shorter
    }

    /// The URL as text.
    package var text: String { location + (query.map { "?\($0)" } ?? "") }
}
