public import JSON

/// A part of the result of a tool or of a prompt (MCP, `ContentBlock`).
public enum ContentBlock: Sendable {
    /// A text.
    case text(String)
    /// An image, as bytes of a media type.
    case image([UInt8], mimeType: String)
    /// A sound recording.
    case audio([UInt8], mimeType: String)
    /// The contents of a resource.
    case resource(ResourceContents)
    /// A reference to a resource.
    case resourceLink(ServerResource)
    /// A block of a kind that this library does not know, unchanged.
    case other(JSONValue)

    init(_ value: JSONValue) throws(JSONError) {
        let object = try value.object()
        switch try object.required("type").string() {
        case "text": self = .text(try object.required("text").string())
        case "image":
            self = .image(try object.required("data").base64(), mimeType: try object.mimeType())
        case "audio":
            self = .audio(try object.required("data").base64(), mimeType: try object.mimeType())
        case "resource":
            self = .resource(try ResourceContents(object.required("resource").object()))
        case "resource_link": self = .resourceLink(try ServerResource(object))
        default: self = .other(value)
        }
    }
}

extension JSONObject {
    fileprivate func mimeType() throws(JSONError) -> String {
        try required("mimeType").string()
    }

    /// The content blocks in the array `key`; empty if it is absent.
    func contents(_ key: StaticString) throws(JSONError) -> [ContentBlock] {
        try optional(key)?.array().map(ContentBlock.init) ?? []
    }
}

extension JSONValue {
    /// The bytes that the string encodes in base64, with or without padding.
    func base64() throws(JSONError) -> [UInt8] {
        var text: [UInt8] = []
        for character in try string().utf8 {
            switch character {
            case UInt8(ascii: "+"): text.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): text.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: text.append(character)
            }
        }
        guard let bytes = Base64.decodeURL(String(decoding: text, as: UTF8.self)) else {
            throw mismatch(expected: "base64")
        }
        return bytes
    }
}
