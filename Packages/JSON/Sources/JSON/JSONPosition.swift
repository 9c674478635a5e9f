/// A position in a text.
public struct JSONPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line in the text, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int

    /// Creates a position.
    public init(line: Int = 1, column: Int = 1) {
        (self.line, self.column) = (line, column)
    }

    init(of offset: Int, in text: UnsafeRawBufferPointer) {
        let before = text[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        // In UTF-8, every byte but the first of a scalar begins with the bits 10.
        column = 1 + before[lineStart...].count { $0 & 0b1100_0000 != 0b1000_0000 }
    }

    /// The position as text, such as `line 3, column 14`.
    public var description: String { "line \(line), column \(column)" }
}
