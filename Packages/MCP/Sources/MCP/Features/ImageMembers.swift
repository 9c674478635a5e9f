/// The members of a tool result that contain an image.
///
/// The client receives the image as image content. The rest of the result is sent as text and as
/// structured content, which does not contain ``data``. A result without these members has no
/// image.
public struct ImageMembers: Sendable, Hashable {
    /// The name of the member with the image data, in base64.
    public var data: String
    /// The name of the member with the media type.
    public var mimeType: String

    /// Creates a description of the members.
    public init(data: String, mimeType: String) {
        self.data = data
        self.mimeType = mimeType
    }
}
