public import Domain
public import JSON

/// The JSON of an image URL: an absolute URL, which is not normalized.
public enum ImageURLCodec: ModelCodec {
    /// Strings in the form of an absolute URL.
    public static let schema = JSONSchema.string(
        pattern: #"^[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20\x7F]+$"#,
        maximumLength: ImageURL.maximumBytes
    )

    /// Reads a URL. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> ImageURL {
        guard let url = ImageURL(try value.string()) else {
            throw value.mismatch(
                expected: "an absolute URL of at most \(ImageURL.maximumBytes) bytes"
            )
        }
        return url
    }

    /// Writes a URL.
    public static func write(_ url: ImageURL, to writer: inout JSONWriter) {
        writer.string(url.description)
    }
}
