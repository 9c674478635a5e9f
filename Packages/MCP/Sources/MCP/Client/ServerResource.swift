import JSON

/// A resource in the list of a server, or a reference to one.
public struct ServerResource: Sendable, Hashable {
    /// The URI with which the resource is read.
    public let uri: String
    /// The name of the resource, for programs.
    public let name: String
    /// The name to show to users; nil if the resource has none.
    public let title: String?
    /// A description of the contents; nil if the server does not provide one.
    public let description: String?
    /// The media type of the contents; nil if the server does not state it.
    public let mimeType: String?

    init(_ object: JSONObject) throws(JSONError) {
        uri = try object.required("uri").string()
        name = try object.required("name").string()
        title = try object.optional("title")?.string()
        description = try object.optional("description")?.string()
        mimeType = try object.optional("mimeType")?.string()
    }
}
