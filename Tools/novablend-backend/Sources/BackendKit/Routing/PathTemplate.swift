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
