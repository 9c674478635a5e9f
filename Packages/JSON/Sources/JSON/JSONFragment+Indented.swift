extension JSONFragment {
    /// Returns this value formatted on several lines, for people.
    ///
    /// Each member and each element begins a line; an empty object or array stays on one line. Numbers
    /// and strings keep their spelling, and members their order. There is no line break at the end.
    ///
    /// - Parameter spaces: The number of spaces by which each level is indented.
    public func indented(by spaces: Int = 2) -> JSONFragment {
        var text = IndentedText(spaces: max(0, spaces))
        forEachChunk { $0.forEach { text.append($0) } }
        return JSONFragment(trusted: text.bytes)
    }
}

private struct IndentedText {
    private enum State { case outside, afterOpening, string, escape }

    private(set) var bytes: [UInt8] = []
    private let spaces: Int
    private var level = 0
    private var state = State.outside

    init(spaces: Int) { self.spaces = spaces }

    mutating func append(_ byte: UInt8) {
        switch (state, byte) {
        case (.escape, _): continueString(byte, .string)
        case (.string, UInt8(ascii: "\\")): continueString(byte, .escape)
        case (.string, UInt8(ascii: "\"")): continueString(byte, .outside)
        case (.string, _): bytes.append(byte)
        case (_, 0...0x20): break
        case (_, UInt8(ascii: "}")), (_, UInt8(ascii: "]")): close(byte)
        default: appendToken(byte)
        }
    }

    private mutating func continueString(_ byte: UInt8, _ next: State) {
        bytes.append(byte)
        state = next
    }

    private mutating func close(_ byte: UInt8) {
        level -= 1
        if state != .afterOpening { breakLine() }
        bytes.append(byte)
        state = .outside
    }

    private mutating func appendToken(_ byte: UInt8) {
        if state == .afterOpening { breakLine() }
        bytes.append(byte)
        state = .outside
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            level += 1
            state = .afterOpening
        case UInt8(ascii: "\""): state = .string
        case UInt8(ascii: ","): breakLine()
        case UInt8(ascii: ":"): bytes.append(UInt8(ascii: " "))
        default: break
        }
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        // A text that is not JSON can close more brackets than it opens.
        let count = spaces * max(0, level)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count))
    }
}
