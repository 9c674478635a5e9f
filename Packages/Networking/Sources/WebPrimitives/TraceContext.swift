/// The position of a request in a distributed trace (W3C Trace Context, level 1).
///
/// A program that records no spans of its own can pass the trace context on unchanged.
public struct TraceContext: Sendable, Hashable {
    /// The name of the header field with ``parent``.
    public static let parentField = "traceparent"
    /// The name of the header field with ``state``.
    public static let stateField = "tracestate"

    /// The ids of the trace and of the span that caused the request, in the format of version 00.
    public let parent: String
    /// What the tracing systems on the way have added; nil if there is nothing valid.
    public let state: String?

    /// Parses the values of the two fields. Nil if `parent` is invalid; an invalid `state` is ignored.
    ///
    /// If `parent` has a version later than 00, only the members that version 00 defines are used.
    public init?(parent: String, state: String? = nil) {
        guard let parent = Self.normalized(parent) else { return nil }
        self.parent = parent
        self.state = state.flatMap { TraceState.isValid($0) ? $0 : nil }
    }

    /// The id of the trace: 32 hexadecimal digits in lowercase.
    public var traceID: String { String(parent.dropFirst(3).prefix(32)) }

    /// The value in version 00; nil if it is invalid.
    private static func normalized(_ text: String) -> String? {
        let bytes = Array(text.utf8.prefix(56))
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == dash }) else { return nil }
        let (version, flags) = (bytes[0..<2], bytes[53..<55])
        let ids = [bytes[3..<35], bytes[36..<52]]
        guard ([version, flags] + ids).allSatisfy({ $0.allSatisfy(isLowercaseHexDigit) }),
            ids.allSatisfy({ !$0.allSatisfy { $0 == zero } }), !version.elementsEqual("ff".utf8)
        else { return nil }
        if version.allSatisfy({ $0 == zero }) { return bytes.count == 55 ? text : nil }
        guard bytes.count == 55 || bytes[55] == dash else { return nil }
        // The last bit says whether the trace is recorded. The others may have changed their meaning.
        let isSampled = "13579bdf".utf8.contains(bytes[54])
        return "00" + String(decoding: bytes[2..<53], as: UTF8.self) + (isSampled ? "01" : "00")
    }

    private static let dash = UInt8(ascii: "-")
    private static let zero = UInt8(ascii: "0")

    private static func isLowercaseHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case zero...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
