/// The members of a tool's result that contain an image.
public struct ImageMembers: Sendable, Hashable {
    /// The member with the image as base64.
    public var data: String
    /// The member with its media type.
    public var mediaType: String

    /// Names the members.
    public init(data: String, mediaType: String) {
        self.data = data
        self.mediaType = mediaType
    }
}
