/// A value that is already encoded, to be put into a text as it is.
public struct JSONFragment: Sendable, Hashable {
    /// The encoded value.
    public let bytes: [UInt8]

    /// Takes bytes of which the caller knows that they are one JSON value.
    public init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Encodes the one value that `build` writes.
    public init(_ build: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        build(&writer)
        bytes = writer.bytes
    }

    /// `null`
    public static let null = JSONFragment { $0.null() }
    /// `{}`
    public static let emptyObject = JSONFragment { $0.object { _ in } }
}

extension JSONFragment: CustomStringConvertible {
    /// The encoded value as text.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSONFragment {
    /// The object that this encodes with one more member; anything else as it is.
    public func addingMember(_ key: String, _ value: JSONFragment) -> JSONFragment {
        guard bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") else { return self }
        let member = JSONFragment { writer in
            writer.object { $0.member(key, value) }
        }
        let body = bytes.dropFirst().dropLast()
        let comma = body.allSatisfy { $0 <= 0x20 } ? [] : [UInt8(ascii: ",")]
        return JSONFragment(trusted: bytes.dropLast() + comma + member.bytes.dropFirst())
    }
}
