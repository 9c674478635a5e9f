import JSONRPC

/// Replaces method names in texts with tool names. Summaries and errors refer to methods, but
/// models only know tools.
struct ToolNames: Sendable {
    private let methods: Set<String>

    /// Creates a replacement of the names of `methods`.
    init(ofMethods methods: some Sequence<String>) {
        self.methods = Set(methods)
    }

    /// Returns `error` with method names in its message replaced by tool names.
    func replacingMethods(in error: RPCError) -> RPCError {
        var replaced = error
        replaced.message = replacingMethods(in: error.message)
        return replaced
    }

    /// Returns `text` with method names replaced by tool names.
    func replacingMethods(in text: String) -> String {
        // Names without a slash are the same for tools.
        guard text.utf8.contains(Self.slash) else { return text }
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        while let slash = rest.firstIndex(of: Self.slash) {
            let separator = rest[..<slash].lastIndex { !Self.isInWord($0) }
            let start = separator.map { $0 + 1 } ?? rest.startIndex
            let end = rest[slash...].firstIndex { !Self.isInWord($0) } ?? rest.endIndex
            let word = String(decoding: rest[start..<end], as: UTF8.self)
            result += rest[..<start]
            result += (methods.contains(word) ? Tool.name(ofMethod: word) : word).utf8
            rest = rest[end...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), slash, UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
