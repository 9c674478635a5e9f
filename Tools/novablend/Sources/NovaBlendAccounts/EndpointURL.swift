import WebPrimitives

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
