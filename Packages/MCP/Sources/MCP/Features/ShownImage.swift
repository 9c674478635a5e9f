import JSON
import JSONRPC

/// An image within a result, taken out of it: a model sees a picture, and does not read megabytes of
/// base64.
struct ShownImage {
    /// The content block that has the image.
    let block: JSONFragment
    /// The result without the data.
    let rest: JSONFragment

    /// Nil when `result` has no image.
    init?(in result: JSONFragment, _ members: Method.ImageMembers) {
        var found: [String: JSONFragment] = [:]
        rest = result.bytes.withUnsafeBytes { bytes in
            JSONFragment { writer in
                writer.object { writer in
                    for member in JSONScanner.memberRanges(ofObjectIn: bytes) {
                        // Keys of ours need no escapes; the range has the quotes.
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
