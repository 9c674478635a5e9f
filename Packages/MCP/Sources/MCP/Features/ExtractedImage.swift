import JSON
import JSONRPC

/// An image, separated from the rest of a tool result. The model receives it as an image instead of
/// megabytes of base64 text.
struct ExtractedImage {
    /// The content block with the image.
    let block: JSONFragment
    /// The result without the image data.
    let rest: JSONFragment

    /// Nil if `result` does not contain an image.
    init?(from result: JSONFragment, _ members: ImageMembers) {
        var values: [String: JSONFragment] = [:]
        rest = result.bytes.withUnsafeBytes { bytes in
            JSONFragment { writer in
                writer.object { writer in
                    for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
                        // The range includes the quotes. The keys of this program contain no
                        // escapes.
                        let key = String(
                            decoding: bytes[member.key].dropFirst().dropLast(),
                            as: UTF8.self
                        )
                        let value = JSONFragment(trusted: Array(bytes[member.value]))
                        values[key] = value
                        if key != members.data { writer.member(key, value) }
                    }
                }
            }
        }
        guard let data = values[members.data], let type = values[members.mediaType] else {
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
