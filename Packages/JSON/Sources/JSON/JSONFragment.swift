/// A value that is already encoded, to be put into a text as it is.
public struct JSONFragment: Sendable {
    private let text: [UInt8]
    let splices: [JSONSplice]

    /// Takes bytes of which the caller knows that they are one JSON value.
    public init(trusted bytes: [UInt8]) {
        (text, splices) = (bytes, [])
    }

    /// Encodes the one value that `build` writes.
    @inlinable
    public init<E: Error>(_ build: (inout JSONWriter) throws(E) -> Void) throws(E) {
        var writer = JSONWriter()
        try build(&writer)
        self.init(writer)
    }

    /// Takes the one value that was written.
    public init(_ writer: JSONWriter) {
        (text, splices) = (writer.bytes, writer.splices)
    }

    /// The encoded value; copied where it is in chunks.
    public var bytes: [UInt8] {
        if splices.isEmpty { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        forEachChunk { bytes += $0 }
        return bytes
    }

    /// How many bytes the encoded value has.
    public var count: Int { splices.reduce(text.count) { $0 + $1.bytes.count } }

    /// Gives the encoded value in chunks, one after the other, so that large ones need not be
    /// copied.
    public func forEachChunk(_ body: (ArraySlice<UInt8>) -> Void) {
        var start = 0
        for splice in splices {
            body(text[start..<splice.offset])
            body(splice.bytes)
            start = splice.offset
        }
        body(text[start...])
    }

    /// The value with bytes around it, of which the caller knows that they make one value of it.
    public func enclosed(by head: [UInt8], _ tail: [UInt8]) -> JSONFragment {
        var whole = head
        whole.reserveCapacity(head.count + text.count + tail.count)
        whole += text
        whole += tail
        let moved = splices.map { JSONSplice(offset: head.count + $0.offset, bytes: $0.bytes) }
        return JSONFragment(text: whole, splices: moved)
    }

    private init(text: [UInt8], splices: [JSONSplice]) {
        (self.text, self.splices) = (text, splices)
    }

    /// The encoded value without what was spliced into it.
    var withoutSplices: [UInt8] { text }

    /// `null`
    public static let null = JSONFragment { $0.null() }
    /// `{}`
    public static let emptyObject = JSONFragment { $0.object { _ in } }
}

extension JSONFragment: Hashable {
    /// Whether both are the same bytes, in whatever chunks.
    public static func == (one: JSONFragment, other: JSONFragment) -> Bool {
        one.bytes == other.bytes
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension JSONFragment: CustomStringConvertible {
    /// The encoded value as text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONFragment {
    /// The object that this encodes with one more member; anything else as it is.
    public func addingMember(_ key: String, _ value: JSONFragment) -> JSONFragment {
        var whole = bytes
        guard whole.first == UInt8(ascii: "{"), whole.popLast() == UInt8(ascii: "}") else {
            return self
        }
        let isEmpty = whole.dropFirst().allSatisfy { $0 <= 0x20 }
        if !isEmpty { whole.append(UInt8(ascii: ",")) }
        let member = JSONFragment { writer in
            writer.object { $0.member(key, value) }
        }
        whole += member.bytes.dropFirst()
        return JSONFragment(trusted: whole)
    }
}
