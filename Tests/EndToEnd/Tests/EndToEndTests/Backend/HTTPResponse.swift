import Foundation
import JSON

/// A response as it arrived.
struct HTTPResponse: Sendable {
    let status: Int
    /// The status line and the header fields.
    let head: String
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of a header field; nil if the response does not have it.
    func field(_ name: String) -> String? {
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return nil
    }

    /// Whether the server ends the connection after this response.
    var closesConnection: Bool { field("Connection")?.lowercased() == "close" }

    func object() throws -> JSONObject { try JSONDocument(parsing: body).root.object() }
}

/// Bytes that have arrived on a connection and are not part of a complete response yet.
struct ResponseBuffer {
    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ arrived: ArraySlice<UInt8>) { bytes += arrived }

    /// Removes and returns the first response, if it is complete. Supports only bodies with a
    /// Content-Length, since the backend sends no others.
    mutating func next() -> HTTPResponse? {
        guard let end = endOfHead else { return nil }
        let head = String(decoding: bytes[..<(end - 4)], as: UTF8.self)
        let response = HTTPResponse(
            status: head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
            head: head,
            body: []
        )
        let length = response.field("Content-Length").flatMap { Int($0) } ?? 0
        guard bytes.count >= end + length else { return nil }
        defer { bytes.removeFirst(end + length) }
        let body = Array(bytes[end..<(end + length)])
        return HTTPResponse(status: response.status, head: head, body: body)
    }

    /// The index after the empty line.
    private var endOfHead: Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var end = 4
            while end <= bytes.count {
                if bytes[end - 1] == 10, bytes[end - 2] == 13, bytes[end - 3] == 10,
                    bytes[end - 4] == 13
                {
                    return end
                }
                end += 1
            }
            return nil
        }
    }
}
