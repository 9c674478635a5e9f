/// The members of a tool result that contain an image.
public struct ImageMembers: Sendable, Hashable {
    /// The name of the member with the image data, in base64.
    public var data: String
    /// The name of the member with the media type.
    public var mediaType: String

    /// Creates a description of the members.
    public init(data: String, mediaType: String) {
        self.data = data
        self.mediaType = mediaType
    }
}
