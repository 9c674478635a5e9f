/// An HTTP/1.1 response as it arrived.
public struct ReceivedResponse: Sendable {
    /// The status; 0 if the first line has none.
    public let status: Int
    /// The status line and the header fields, without the empty line.
    public let head: String
    /// The body of the response.
    public let body: [UInt8]

    /// The body of the response as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field; nil if the response does not have it.
    public func field(_ name: String) -> String? { Self.field(name, in: head) }

    /// Removes the first response from `bytes`; nil if it is not complete. The length of its body is
    /// its `Content-Length`.
    public static func takeFirst(from bytes: inout [UInt8]) -> ReceivedResponse? {
        guard let blank = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self)
        let end = blank.upperBound + (field("Content-Length", in: head).flatMap { Int($0) } ?? 0)
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        return ReceivedResponse(
            status: head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
            head: head,
            body: Array(bytes[blank.upperBound..<end])
        )
    }

    private static func field(_ name: String, in head: String) -> String? {
        let prefix = name.lowercased() + ":"
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(prefix) }
        return line.map { String($0.dropFirst(prefix.count).drop { $0 == " " }) }
    }
}
