import JSON
import JSONRPC

/// An image, separated from the rest of a tool result. The model receives it as an image instead of
/// megabytes of base64 text.
struct ExtractedImage {
    /// The content block with the image.
    let block: ObjectFragment
    /// The result without the image data.
    let rest: ObjectFragment

    /// Separates the image from `result`; nil if `result` does not contain an image.
    init?(from result: ObjectFragment, _ members: ImageMembers) {
        var values: [String: JSONFragment] = [:]
        rest = result.fragment.bytes.withUnsafeBytes { bytes in
            ObjectFragment { writer in
                for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
                    let text = Array(bytes[member.key])
                    guard let key = try? JSONDocument(parsing: text).root.string() else { continue }
                    let value = JSONFragment(trusted: Array(bytes[member.value]))
                    values[key] = value
                    if key != members.data { writer.member(named: key, value) }
                }
            }
        }
        guard let data = values[members.data], let type = values[members.mimeType] else {
            return nil
        }
        block = ObjectFragment { writer in
            writer.member("type", "image")
            writer.member("data", data)
            writer.member("mimeType", type)
        }
    }
}
