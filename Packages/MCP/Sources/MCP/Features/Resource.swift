public import JSONRPC

/// A resource that clients read by its URI.
public struct Resource: Sendable {
    /// Its URI.
    public var uri: String
    /// Its name for programs.
    public var name: String
    /// Its name for people.
    public var title: String
    /// What it contains, in a sentence.
    public var summary: String
    /// The data that reading it accesses; nil for all data.
    public var data: DataAccess?
    /// Returns its content, which is JSON.
    public var read: Method.Handler

    /// Describes a resource.
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
