public import JSONRPC

/// A resource that clients can read by its URI.
public struct Resource: Sendable {
    /// The URI.
    public var uri: String
    /// The name that programs use.
    public var name: String
    /// The name to show to users.
    public var title: String
    /// Its contents, in one sentence.
    public var summary: String
    /// The data that a read accesses; nil for all data.
    public var data: DataAccess?
    /// Returns the content as JSON.
    public var read: Method.Handler

    /// Creates a resource.
    public init(
        _ uri: String,
        name: String,
        title: String,
        summary: String,
        data: DataAccess? = nil,
        read: @escaping Method.Handler
    ) {
        self.uri = uri
        self.name = name
        self.title = title
        self.summary = summary
        self.data = data
        self.read = read
    }
}
