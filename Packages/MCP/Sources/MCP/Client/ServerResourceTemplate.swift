import JSON

/// A template for resources in the list of a server.
public struct ServerResourceTemplate: Sendable, Hashable {
    /// The template of the URIs (RFC 6570).
    public let uriTemplate: String
    /// The name of the template, for programs.
    public let name: String
    /// The name to show to users; nil if the template has none.
    public let title: String?
    /// A description of the contents of the resources; nil if the server does not provide one.
    public let description: String?

    init(_ object: JSONObject) throws(JSONError) {
        uriTemplate = try object.required("uriTemplate").string()
        name = try object.required("name").string()
        title = try object.optional("title")?.string()
        description = try object.optional("description")?.string()
    }
}
