import Testing

@testable import JSONRPC

@Suite("The fast path for headers")
struct HeaderBlockTests {
    /// The lengths of a block and its message, from the fast path and from the full parser.
    private func lengths(_ text: String) -> (plain: [Int]?, slow: [Int]?) {
        // Not at the start of the buffer, as in the decoder.
        let bytes = (Array("xx".utf8) + Array(text.utf8))[2...]
        let plain = HeaderBlock.plainLengths(in: bytes).map { [$0.block, $0.message] }
        guard let block = HeaderBlock(in: bytes) else { return (plain, nil) }
        let length = try? block.contentLength(maximum: .max)
        return (plain, length.map { [block.length, $0] })
    }

    @Test("a line without a colon makes the whole block invalid")
    func malformedLine() {
        let (plain, full) = lengths("Content-Length: 1\r\nno colon\r\n\r\n{}")
        #expect(plain == nil)
        #expect(full == nil)
    }

    @Test("the fast path agrees with the full parser", arguments: [0, 1, 9, 10, 40, 999_999_999])
    func plain(length: Int) {
        let (plain, slow) = lengths("Content-Length: \(length)\r\n\r\n{}")
        #expect(plain != nil && plain == slow)
    }

    @Test(
        "the fast path leaves all other headers to the full parser",
        arguments: [
            "Content-Length:1\r\n\r\n", "content-length: 1\r\n\r\n", "Content-Length:  1\r\n\r\n",
            "Content-Length: 1 \r\n\r\n", "Content-Length: 1\n\n", "Content-Length: \r\n\r\n",
            "Content-Length: 1\r\nX: y\r\n\r\n", "X: y\r\nContent-Length: 1\r\n\r\n",
            "Content-Length: -1\r\n\r\n", "Content-Length: 1x\r\n\r\n", "", "C",
            "Content-Length: 1234567890\r\n\r\n", "Content-Length: 1\r\n\r", "Content-Length: 1",
            "Content-Length: ", "Content-Length: 1\r\n\n\n",
        ]
    )
    func others(text: String) {
        #expect(lengths(text).plain == nil)
    }

    @Test(
        "only spaces and tabs around a value do not matter",
        arguments: [
            ("Content-Length:\t 1 \t", 1), ("Content-Length: \u{B}1", nil),
            ("Content-Length: 1\0", nil), ("Content-Length: +1", nil),
            ("Content-Length: 1\u{301}", nil), ("Content-Length: \u{661}", nil),
        ]
    )
    func blanks(line: String, length: Int?) {
        #expect(lengths("\(line)\r\n\r\n{}").slow?.last == length)
    }

    @Test(
        "the charset is read byte by byte",
        arguments: [
            ("a/b; charset=utf-8", true), ("a/b;Charset = \"UTF-8\" ; x=y", true),
            ("a/b; x=charset=latin1", true), ("a/b; charset=\u{301}latin1", false),
            ("a/b; charset=utf-8\u{301}", false), ("a/b;charset=\"utf-8", false),
            ("a/b; charset=utf-8; charset=latin1", false), ("a/b; charset=", false),
        ]
    )
    func charset(type: String, isValid: Bool) {
        let text = "Content-Type: \(type)\r\nContent-Length: 1\r\n\r\n{}"
        #expect((lengths(text).slow != nil) == isValid)
    }
}
