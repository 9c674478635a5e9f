public import Domain
public import JSON

/// The JSON of an image URL: an absolute URL, which is not normalized.
public enum ImageURLCodec: ModelCodec {
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
