import JSON

/// The contents of a resource that was read.
public struct ResourceContents: Sendable, Hashable {
    /// The URI of this part, which may be below the URI that was read.
    public let uri: String
    /// The media type of this part; nil if the server does not state it.
    public let mimeType: String?
    /// The text or the bytes of this part.
    public let body: ResourceBody

    init(_ object: JSONObject) throws(JSONError) {
        uri = try object.required("uri").string()
        mimeType = try object.optional("mimeType")?.string()
        if let blob = object.optional("blob") {
            body = .blob(try blob.base64())
        } else {
            body = .text(try object.required("text").string())
        }
    }
}
