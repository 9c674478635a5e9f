import NovaBlendSimdJSON
import Synchronization

/// A parsed text: simdjson's tape, walked in place.
///
/// Nothing is copied out of it before it is asked for. Values are views that keep it alive.
public final class JSONDocument: Sendable {
    // The shim's document never changes after it was parsed, and only deinit frees it: reading it
    // from several threads at once is safe.
    private nonisolated(unsafe) let handle: OpaquePointer
    @usableFromInline nonisolated(unsafe) let tape: UnsafePointer<UInt64>
    @usableFromInline nonisolated(unsafe) let strings: UnsafePointer<UInt8>
    /// How often a path was found by a walk, which costs up to as much as the text is long.
    let pathWalks = Atomic(0)

    /// Parses a whole text. Throws `malformed`, `wrongEncoding`, `tooLarge` or `tooDeep`.
    ///
    /// Strict RFC 8259 in UTF-8: no byte order mark, no trailing comma, no lone surrogate, no
    /// number outside the range of a double, no integer beyond 64 bits, which would be rounded.
    public convenience init(
        parsing bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        try self.init(owning: Self.parse(bytes, limits))
    }

    /// Parses a whole text. Throws `malformed`, `wrongEncoding`, `tooLarge` or `tooDeep`.
    public convenience init(
        parsing bytes: [UInt8],
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        // What the array has room for is behind it in the same block of memory.
        let slack = bytes.capacity - bytes.count
        let handle = bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in try Self.parse(buffer, limits, slack: slack) }
        }
        try self.init(owning: handle.get())
    }

    /// Parses a whole text that was received. Throws what ``init(parsing:limits:)`` throws, except
    /// that a byte order mark is skipped, as RFC 8259, section 8.1, allows.
    public convenience init(
        received bytes: [UInt8],
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        let hasMark = bytes.starts(with: TextEncoding.utf8Mark)
        let text = hasMark ? Array(bytes.dropFirst(TextEncoding.utf8Mark.count)) : bytes
        try self.init(parsing: text, limits: limits)
    }

    private init(owning handle: OpaquePointer) throws(JSONError) {
        self.handle = handle
        // A parsed document has both; the guard stands in for a force-unwrap.
        guard let tape = nb_json_tape(handle), let strings = nb_json_strings(handle) else {
            throw .malformed(reason: "the text is empty")
        }
        self.tape = tape
        self.strings = strings
    }

    private static func parse(
        _ bytes: UnsafeRawBufferPointer,
        _ limits: JSONLimits,
        slack: Int = 0
    ) throws(JSONError) -> OpaquePointer {
        guard bytes.count <= limits.maximumBytes else {
            throw .tooLarge(maximumBytes: limits.maximumBytes)
        }
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else {
            throw .malformed(reason: "the text is empty")
        }
        var parsed: OpaquePointer?
        var reason: UnsafePointer<CChar>?
        let status = nb_json_parse(
            start,
            bytes.count,
            slack,
            limits.maximumDepth,
            &parsed,
            &reason
        )
        if status == NB_JSON_TOO_DEEP { throw .tooDeep(maximumDepth: limits.maximumDepth) }
        guard status == NB_JSON_OK, let parsed else {
            if let encoding = TextEncoding(of: bytes) {
                throw .wrongEncoding(name: encoding.rawValue)
            }
            throw .malformed(reason: reason.map { String(cString: $0) } ?? "out of memory")
        }
        return parsed
    }

    deinit { nb_json_free(handle) }

    /// The value that the text is.
    public var root: JSONValue { JSONValue(document: self, index: 1) }
}
