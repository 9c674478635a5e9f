public import Domain
public import JSON

/// The address of an image on the wire: an absolute URL, as it was written.
public enum ImageURLCodec: ModelCodec {
    /// Reads an address; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> ImageURL {
        guard let url = ImageURL(try value.string()) else {
            throw value.mismatch(
                expected: "an absolute URL of at most \(ImageURL.maximumBytes) bytes"
            )
        }
        return url
    }

    /// Writes an address as `read` reads it.
    public static func write(_ url: ImageURL, to writer: inout JSONWriter) {
        writer.string(url.description)
    }
}
