import NovaBlendSimdJSON
import Synchronization

/// A parsed JSON text.
///
/// A document owns the tape of simdjson, a flat array of tokens. Values are views of the tape that
/// keep the document alive. Nothing is copied until a value is read.
public final class JSONDocument: Sendable {
    // The document is immutable after parsing, and only deinit frees it. So concurrent reads are
    // safe.
    private nonisolated(unsafe) let handle: OpaquePointer
    @usableFromInline nonisolated(unsafe) let tape: UnsafePointer<UInt64>
    @usableFromInline nonisolated(unsafe) let strings: UnsafePointer<UInt8>
    /// How many paths were computed. Each computation takes time proportional to the text.
    let pathComputations = Atomic(0)

    /// Parses a text. The bytes are not used after this call.
    ///
    /// Accepts strict RFC 8259 in UTF-8. Rejects byte order marks, trailing commas, lone
    /// surrogates, numbers beyond the range of `Double`, and integers of more than 64 bits, which
    /// would be rounded. The top-level value may be of any kind.
    ///
    /// - Parameters:
    ///   - bytes: The text. It is copied, because simdjson reads past its end.
    ///   - limits: The maximum size and depth.
    /// - Throws: `malformed`, `numberOutOfRange`, `wrongEncoding`, `tooLarge`, or `tooDeep`.
    public convenience init(
        parsing bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        try self.init(owning: Self.parse(bytes, limits))
    }

    /// Parses a text, with the same rules as ``init(parsing:limits:)-(UnsafeRawBufferPointer,_)``.
    ///
    /// - Parameters:
    ///   - bytes: The text, such as `[UInt8](data)`. It is copied, unless the array has reserved
    ///     capacity for at least 64 more bytes.
    ///   - limits: The maximum size and depth.
    /// - Throws: `malformed`, `numberOutOfRange`, `wrongEncoding`, `tooLarge`, or `tooDeep`.
    public convenience init(
        parsing bytes: [UInt8],
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        // The unused capacity of the array follows the text in memory, so simdjson may read it.
        let padding = bytes.capacity - bytes.count
        let handle = bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in try Self.parse(buffer, limits, padding: padding) }
        }
        try self.init(owning: handle.get())
    }

    /// Parses a text from another program, like ``init(parsing:limits:)-([UInt8],_)``, but skips a
    /// byte order mark, which RFC 8259, section 8.1, allows.
    public convenience init(
        received bytes: [UInt8],
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        let mark = TextEncoding.utf8ByteOrderMark
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        try self.init(parsing: text, limits: limits)
    }

    /// Parses a text like ``init(parsing:limits:)-([UInt8],_)``, but returns nil for a text that is not
    /// accepted. Faster for such texts, because it does not find out what is wrong with them.
    public convenience init?(validating bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        let padding = bytes.capacity - bytes.count
        let handle = bytes.withUnsafeBytes { buffer in
            try? Self.parse(buffer, limits, padding: padding, explainsErrors: false)
        }
        guard let handle else { return nil }
        do { try self.init(owning: handle) } catch { return nil }
    }

    private init(owning handle: OpaquePointer) throws(JSONError) {
        self.handle = handle
        // A parsed document has both. The guard avoids force-unwrapping.
        guard let tape = nb_json_tape(handle), let strings = nb_json_strings(handle) else {
            throw .malformed(reason: "the parser returned no values", position: JSONPosition())
        }
        self.tape = tape
        self.strings = strings
    }

    private static func parse(
        _ bytes: UnsafeRawBufferPointer,
        _ limits: JSONLimits,
        padding: Int = 0,
        explainsErrors: Bool = true
    ) throws(JSONError) -> OpaquePointer {
        guard bytes.count <= limits.maximumBytes else {
            throw .tooLarge(maximumBytes: limits.maximumBytes)
        }
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress, !bytes.isEmpty else {
            throw .malformed(reason: "the text is empty", position: JSONPosition())
        }
        var parsed: OpaquePointer?
        var reason: UnsafePointer<CChar>?
        let status = nb_json_parse(
            start,
            bytes.count,
            padding,
            limits.maximumDepth,
            &parsed,
            &reason
        )
        if status == NB_JSON_TOO_DEEP { throw .tooDeep(maximumDepth: limits.maximumDepth) }
        guard status == NB_JSON_OK, let parsed else {
            if explainsErrors, let error = explanation(of: bytes) { throw error }
            let reason = reason.map { String(cString: $0) } ?? "out of memory"
            throw .malformed(reason: reason, position: JSONPosition())
        }
        return parsed
    }

    /// What is wrong with a text; nil if it is valid and the memory was not sufficient.
    private static func explanation(of bytes: UnsafeRawBufferPointer) -> JSONError? {
        if let encoding = TextEncoding(of: bytes) { return .wrongEncoding(name: encoding.rawValue) }
        return SyntaxCheck.error(in: bytes)
    }

    deinit { nb_json_free(handle) }

    /// The top-level value.
    public var root: JSONValue { JSONValue(document: self, index: 1) }
}
