import NovaBlendMicroHTTPD

extension ServerRequest {
    /// Creates a request with the header fields and the query of the connection's current request.
    init(method: String, path: String, body: [UInt8], _ connection: OpaquePointer) {
        var headers = HeaderFields()
        for (name, value) in values(.HEADER_KIND, connection) { headers.append(value, for: name) }
        self.init(
            method: method,
            path: path,
            query: QueryParameters(values(.GET_ARGUMENT_KIND, connection)),
            headers: headers,
            body: body,
            baseURL: Self.baseURL(host: headers["Host"] ?? "")
        )
    }

    /// The URL of the `Host` field. If the field contains characters that a host and port cannot
    /// contain, `http://localhost`.
    private static func baseURL(host: String) -> String {
        let isPlain = host.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "-")...UInt8(ascii: ":")).contains(byte)
                    && byte != UInt8(ascii: "/")
                || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
        }
        return "http://" + (isPlain && !host.isEmpty ? host : "localhost")
    }
}

private typealias NamedValues = [(name: String, value: String)]

/// The values of a kind in the current request, in their order.
private func values(_ kind: MHD_ValueKind, _ connection: OpaquePointer) -> NamedValues {
    var values: NamedValues = []
    withUnsafeMutablePointer(to: &values) { pointer in
        _ = MHD_get_connection_values_n(
            connection,
            kind,
            { context, _, name, nameCount, value, valueCount in
                let pair = (text(name, nameCount), text(value, valueCount))
                context?.assumingMemoryBound(to: NamedValues.self).pointee.append(pair)
                return .YES
            },
            pointer
        )
    }
    return values
}

/// Invalid UTF-8 is replaced.
private func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
}
