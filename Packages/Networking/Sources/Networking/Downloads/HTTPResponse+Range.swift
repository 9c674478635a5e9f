import WebPrimitives

extension HTTPResponse {
    /// The value of `If-Range` that asks for the rest of this response; nil if the server did not
    /// send a strong validator (RFC 9110, section 13.1.5).
    ///
    /// A date is strong only if the file was at least a second old, and is used only if there is no
    /// entity tag (section 8.8.2.2).
    var rangeValidator: String? {
        // The request asked for identity, so the next response may be encoded differently.
        guard !isEncoded else { return nil }
        if let tag = headers["ETag"] {
            return EntityTag(tag).flatMap { $0.isWeak ? nil : $0.description }
        }
        let epoch = HTTPDate(secondsSince1970: 0)
        guard let modified = headers["Last-Modified"],
            let change = HTTPDate(modified, now: epoch),
            let date = headers["Date"].flatMap({ HTTPDate($0, now: epoch) }),
            change.secondsSince1970 < date.secondsSince1970
        else { return nil }
        return modified
    }

    /// Whether a 206 or 416 response does not contradict the validator of the bytes that are stored.
    func isSameVersion(as validator: String) -> Bool {
        let field = validator.hasPrefix("\"") ? "ETag" : "Last-Modified"
        return !isEncoded && (headers[field] ?? validator) == validator
    }

    /// The announced size of the body; nil if it is not known.
    var bodySize: Int? { isEncoded ? nil : headers["Content-Length"].flatMap { Int($0) } }

    /// Whether the server has encoded the body although it should not.
    private var isEncoded: Bool { (headers["Content-Encoding"] ?? "identity") != "identity" }
}
