public import JSONRPC

/// A resource that clients can read by its URI (MCP, "Resources").
public struct Resource: Sendable {
    /// The URI of the resource.
    public var uri: String
    /// The name of the resource, for programs.
    public var name: String
    /// The name to show to users; nil to show `name`.
    public var title: String?
    /// The contents of the resource, in one sentence.
    public var description: String
    /// The media type of the contents.
    public var mimeType: String
    /// The data that a read accesses; nil for all data.
    public var data: DataAccess?
    /// Returns the content; nil if there is no such resource.
    public var read: @Sendable (Call) async throws(RPCError) -> ResourceBody?

    /// Creates a resource.
    ///
    /// - Parameters:
    ///   - uri: The URI.
    ///   - name: The name, for programs.
    ///   - title: The name to show to users; nil to show `name`.
    ///   - description: The contents of the resource, in one sentence.
    ///   - mimeType: The media type of the contents.
    ///   - data: The data that a read accesses; nil for all data.
    ///   - read: Returns the content; nil if there is no such resource. The call has no parameters.
    public init(
        _ uri: String,
        name: String,
        title: String? = nil,
        description: String,
        mimeType: String = "application/json",
        data: DataAccess? = nil,
        read: @escaping @Sendable (Call) async throws(RPCError) -> ResourceBody?
    ) {
        self.uri = uri
        self.name = name
        self.title = title
        self.description = description
        self.mimeType = mimeType
        self.data = data
        self.read = read
    }
}
