import JSON
import JSONRPC

/// An image that is separated from a result: the model receives it as an image, and not as
/// megabytes of base64 text.
struct ExtractedImage {
    /// The content block with the image.
    let block: JSONFragment
    /// The result without the image data.
    let rest: JSONFragment

    /// Nil if `result` contains no image.
    init?(from result: JSONFragment, _ members: ImageMembers) {
        var found: [String: JSONFragment] = [:]
        rest = result.bytes.withUnsafeBytes { bytes in
            JSONFragment { writer in
                writer.object { writer in
                    for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
                        // The range includes the quotes. Keys of this program need no escapes.
                        let key = String(
                            decoding: bytes[member.key].dropFirst().dropLast(),
                            as: UTF8.self
                        )
                        let value = JSONFragment(trusted: Array(bytes[member.value]))
                        found[key] = value
                        if key != members.data { writer.member(key, value) }
                    }
                }
            }
        }
        guard let data = found[members.data], let type = found[members.mediaType] else {
            return nil
        }
        block = JSONFragment { writer in
            writer.object { writer in
                writer.member("type", "image")
                writer.member("data", data)
                writer.member("mimeType", type)
            }
        }
    }
}
