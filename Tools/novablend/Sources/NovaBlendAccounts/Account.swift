import WebPrimitives

/// A profile together with its appointments URL.
///
/// Everything cached, journaled, or watched belongs to an account and is in the account's own
/// directory. Two accounts share nothing, even if they use the same cache and state directories.
public struct Account: Sendable, Hashable {
    /// The name of the profile.
    public let profile: String
    /// The normalized appointments URL; nil if none is configured. In that case, all lists of a
    /// profile share an account, but each of them still records the URL that it came from.
    let url: String?
    /// The name on disk and in reports, such as `default-salons.example-0123456789abcdef`. The
    /// readable part is for people; the hash of profile and URL makes the name unique.
    public let name: String

    /// Creates the account of `profile` at `appointmentsURL`. The case of scheme and host, a
    /// default port, and a slash at the end make no difference.
    public init(profile: String, appointmentsURL: String?) {
        self.profile = profile
        url = appointmentsURL.map(URLParts.normalized)
        name = Self.name(profile, url)
    }

    private static func name(_ profile: String, _ url: String?) -> String {
        let server = url.map { url in
            URLParts(url).map { parts in
                let port = parts.port.flatMap {
                    $0 == URLParts.defaultPort(parts.scheme) ? nil : $0
                }
                return parts.host + (port.map { "-\($0)" } ?? "")
            } ?? "unknown"
        }
        let hash = String(FNV1a.hash("\(profile)\n\(url ?? "")".utf8), radix: 16)
        let padding = String(repeating: "0", count: 16 - hash.count)
        return "\(readable(profile))-\(readable(server ?? "none"))-\(padding)\(hash)"
    }

    /// The URL without user info, query, and fragment, which may contain secrets; safe to show.
    public var server: String? { url.map(URLParts.withoutSecrets) }

    /// The directory of this account, relative to the cache or state directory.
    package var subdirectory: String { "\(Self.parent)/\(name)" }

    /// The directory that contains a directory for each account.
    package static let parent = "accounts"

    private static let maximumPartLength = 40

    /// `text` as part of a file name: lowercase, truncated, and with `-` for special characters.
    private static func readable(_ text: String) -> String {
        let scalars = text.lowercased().unicodeScalars.prefix(maximumPartLength)
        let name = scalars.map { scalar in
            switch scalar {
            case "a"..."z", "0"..."9", ".", "_": UInt8(truncatingIfNeeded: scalar.value)
            default: UInt8(ascii: "-")
            }
        }
        let trimmed = name.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        return trimmed.isEmpty ? "x" : String(decoding: trimmed, as: UTF8.self)
    }
}
