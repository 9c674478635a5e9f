import JSON

/// A resource in the list of a server, or a reference to one.
public struct ServerResource: Sendable, Hashable {
    /// The URI to read it by.
    public let uri: String
    /// The name that programs use.
    public let name: String
    /// The name to show to users; nil if it has none.
    public let title: String?
    /// Its contents, in words; nil if the server does not say it.
    public let description: String?
    /// The media type of its content; nil if the server does not say it.
    public let mimeType: String?

    init(_ object: JSONObject) throws(JSONError) {
        uri = try object.required("uri").string()
        name = try object.required("name").string()
        title = try object.optional("title")?.string()
        description = try object.optional("description")?.string()
        mimeType = try object.optional("mimeType")?.string()
    }
}
