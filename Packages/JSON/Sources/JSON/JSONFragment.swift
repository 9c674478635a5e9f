import NovaBlendSimdJSON

/// An encoded JSON value, to be inserted into a text unchanged.
public struct JSONFragment: Sendable {
    private let text: [UInt8]
    let splices: [JSONSplice]
}

extension JSONFragment {
    /// Creates a fragment from bytes. The caller guarantees that they are exactly one JSON value.
    public init(trusted bytes: [UInt8]) {
        self.init(text: bytes, splices: [])
    }

    /// Encodes a value. `build` must write exactly one value.
    ///
    /// - Throws: The error of `build`.
    @inlinable
    public init<E: Error>(_ build: (inout JSONWriter) throws(E) -> Void) throws(E) {
        var writer = JSONWriter()
        try build(&writer)
        self.init(writer)
    }

    /// Encodes an object with the members that `body` writes.
    ///
    /// - Throws: The error of `body`.
    @inlinable
    public static func object<E: Error>(
        _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) -> JSONFragment {
        var writer = JSONWriter()
        try writer.object(body)
        return JSONFragment(writer)
    }

    /// Creates a fragment from the output of `writer`, which must be exactly one value.
    public init(_ writer: JSONWriter) {
        #if DEBUG
            writer.structure.finish()
        #endif
        self.init(text: writer.bytes, splices: writer.splices)
    }

    /// The encoded value, in UTF-8. Copies it if it consists of several chunks.
    public var bytes: [UInt8] {
        if splices.isEmpty { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        forEachChunk { bytes += $0 }
        return bytes
    }

    /// Whether the value is an object.
    var isObject: Bool {
        let start = splices.first?.offset == 0 ? splices.first?.bytes : text[...]
        return start?.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
    }

    /// The length of the encoded value, in bytes.
    public var count: Int { splices.reduce(text.count) { $0 + $1.bytes.count } }

    /// Calls `body` for each chunk of the encoded value, in order. This avoids copying large
    /// chunks.
    public func forEachChunk(_ body: (ArraySlice<UInt8>) -> Void) {
        var start = 0
        for splice in splices {
            body(text[start..<splice.offset])
            body(splice.bytes)
            start = splice.offset
        }
        body(text[start...])
    }

    /// Returns a fragment of `head`, this value, and `tail`, in this order. The caller guarantees
    /// that it is one JSON value.
    public func enclosed(by head: [UInt8], _ tail: [UInt8]) -> JSONFragment {
        var whole = head
        whole.reserveCapacity(head.count + text.count + tail.count)
        whole += text
        whole += tail
        let shifted = splices.map { JSONSplice(offset: head.count + $0.offset, bytes: $0.bytes) }
        return JSONFragment(text: whole, splices: shifted)
    }

    /// The encoded value without the spliced bytes.
    var withoutSplices: [UInt8] { text }

    /// The value `null`.
    public static let null = JSONFragment { $0.null() }
    /// The empty object, `{}`.
    public static let emptyObject = JSONFragment.object { _ in }
}

extension JSONFragment: Hashable {
    /// Whether both have the same bytes. The chunks do not matter.
    public static func == (one: JSONFragment, other: JSONFragment) -> Bool {
        one.bytes == other.bytes
    }

    /// Hashes the bytes of the encoded value.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension JSONFragment: CustomStringConvertible {
    /// The encoded value as text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONFragment {
    /// Returns this object with an additional member, even if it already has one with this key.
    /// Returns other values unchanged.
    public func addingMember(_ key: String, _ value: some JSONWritable) -> JSONFragment {
        var whole = bytes
        guard whole.first == UInt8(ascii: "{"), whole.popLast() == UInt8(ascii: "}") else {
            return self
        }
        let isEmpty = whole.dropFirst().allSatisfy { $0 <= 0x20 }
        if !isEmpty { whole.append(UInt8(ascii: ",")) }
        let member = JSONFragment.object { $0.member(named: key, value) }
        whole += member.bytes.dropFirst()
        return JSONFragment(trusted: whole)
    }
}

extension JSONFragment {
    /// Returns this value with U+2028 and U+2029 as escape sequences, which mean the same. JSON allows
    /// both characters in strings, but some programs end a line at them, such as those that read lines
    /// with `readline` of Node.js 24.
    ///
    /// Returns the value itself, without copying it, if it has none of them.
    public func escapingLineSeparators() -> JSONFragment {
        let hasAny =
            Self.lineSeparator(in: text[...]) != nil
            || splices.contains { Self.lineSeparator(in: $0.bytes) != nil }
        guard hasAny else { return self }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.count + 64)
        var start = 0
        let shifted = splices.map { splice in
            Self.escapeLineSeparators(in: text[start..<splice.offset], to: &escaped)
            start = splice.offset
            var bytes: [UInt8] = []
            Self.escapeLineSeparators(in: splice.bytes, to: &bytes)
            return JSONSplice(offset: escaped.count, bytes: bytes[...])
        }
        Self.escapeLineSeparators(in: text[start...], to: &escaped)
        return JSONFragment(text: escaped, splices: shifted)
    }

    /// The index of the first line separator; nil if there is none.
    private static func lineSeparator(in bytes: ArraySlice<UInt8>) -> Int? {
        let offset = bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { nb_json_find_line_separator($0, bytes.count) } ?? bytes.count
        }
        return offset == bytes.count ? nil : bytes.startIndex + offset
    }

    private static func escapeLineSeparators(
        in bytes: ArraySlice<UInt8>,
        to output: inout [UInt8]
    ) {
        var rest = bytes
        while let index = lineSeparator(in: rest) {
            output += rest[..<index]
            // The last byte is A8 or A9.
            output += rest[index + 2] == 0xA8 ? "\\u2028".utf8 : "\\u2029".utf8
            rest = rest[(index + 3)...]
        }
        output += rest
    }
}
