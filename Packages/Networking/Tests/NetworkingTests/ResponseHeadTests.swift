import Testing

@testable import Networking

@Suite("Header section of a response")
struct ResponseHeadTests {
    private func head(_ lines: [String], limit: Int = 1_000) -> ResponseHead? {
        var head = ResponseHead()
        for line in lines {
            let isWithinLimit = Array(line.utf8).withUnsafeBytes { head.append($0, limit: limit) }
            if !isWithinLimit { return nil }
        }
        return head
    }

    @Test("The header section ends at the empty line, and trailers are ignored")
    func end() {
        let unfinished = head(["HTTP/1.1 200 OK\r\n", "A: b\r\n"])
        #expect(unfinished?.isComplete == false && unfinished?.headers == ["A": "b"])
        let complete = head(["HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n", "C: d\r\n"])
        #expect(complete?.isComplete == true && complete?.headers == ["A": "b"])
    }

    @Test("The header section starts again at each status line")
    func interim() {
        let interim = ["HTTP/1.1 103 Early Hints\r\n", "A: b\r\n", "\r\n"]
        #expect(head(interim)?.isComplete == true)
        let final = head(interim + ["HTTP/1.1 200 OK\r\n", "C: d\r\n"])
        #expect(final?.isComplete == false && final?.headers == ["C": "d"])
        #expect(head(["HTTP/2 200\r\n", "A: b\r\n", "HTTP/\r\n"])?.headers == [:])
        #expect(head(["A: b\r\n", "HTTP:\r\n"])?.headers.fields.count == 2)
    }

    @Test(
        "Values have no surrounding whitespace",
        arguments: ["A:b\r\n", "A: b\r\n", "A:\t b \t\r\n", " \tA : b\n", "A: b "]
    )
    func whitespace(line: String) {
        let isFolded = line.hasPrefix(" ")
        let head = head(["HTTP/1.1 200 OK\r\n", "X: y\r\n", line])
        #expect(head?.headers == (isFolded ? ["X": "y A : b"] : ["X": "y", "A": "b"]))
    }

    @Test("A space or a tab continues a value, with one space")
    func folding() {
        for line in [" c\r\n", "\tc\r\n"] {
            #expect(head(["A: b\r\n", line])?.headers == ["A": "b c"])
            #expect(head([line])?.headers == [:])
        }
        #expect(head(["A: b\r\n", " \r\n", "C: d\r\n"])?.headers == ["A": "b ", "C": "d"])
    }

    @Test("A line without a colon is ignored, and others are split at the first one")
    func colon() {
        #expect(head(["HTTP/1.1 200 OK\r\n", "A\r\n", "B: c:d\r\n"])?.headers == ["B": "c:d"])
    }

    @Test("The header section may be exactly as long as the limit")
    func limit() {
        #expect(head(["A: b\r\n", "C: d\r\n"], limit: 12) != nil)
        #expect(head(["A: b\r\n", "C: d\r\n"], limit: 11) == nil)
    }
}
