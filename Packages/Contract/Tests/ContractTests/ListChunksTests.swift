import Domain
import JSON
import Testing

@testable import Contract

/// These tests use short chunks, so that each list is split often and in many places.
@Suite("A list that is read in chunks")
struct ListChunksTests {
    private typealias Bytes = EncodedListCodec<SalonListCodec>

    private static let plain =
        #""id":"1F0A6C0E-5B7C-4D8E-9A55-0C5B3E8A4D01","open_time":9,"#
        + #""close_time":22.3,"location":"l""#
    private static let elements = [
        #"{\#(plain),"name":"a"}"#,
        #"{\#(plain),"name":"},{"}"#,
        #"{\#(plain),"name":"\\\"},{\\\"]"}"#,
        #"{ \#(plain) , "name" : "ä😀" , "phone" : null }"#,
        #"{\#(plain),"name":"x","exceptions":[{"date":"2026-12-24","closed":true},"#
            + #"{"date":"2026-12-25","closed":true},{"date":"2026-12-26","closed":true}]}"#,
        #"{\#(plain),"name":"x","more":{"a":[{},{},[{}]]}}"#,
    ]

    private func text(
        _ elements: [String],
        separator: String = ",",
        head: String = #"{"salons":["#,
        tail: String = "]}"
    ) -> [UInt8] {
        Array((head + elements.joined(separator: separator) + tail).utf8)
    }

    private func readWhole(_ bytes: [UInt8]) -> Result<EncodedList<SalonListCodec>, JSONError> {
        Result { () throws(JSONError) in
            try Bytes.read(JSONDocument(parsing: bytes).root)
        }
    }

    private func readWholeModels(_ bytes: [UInt8]) -> Result<[Salon], JSONError> {
        Result { () throws(JSONError) in
            try SalonListCodec.read(JSONDocument(parsing: bytes).root)
        }
    }

    @Test("equals the list that is read as a whole, wherever it is split", arguments: 260..<420)
    func sameList(length: Int) throws {
        let many = (0..<30).map { Self.elements[$0 * 7 % Self.elements.count] }
        for bytes in [
            text(many), text(many, separator: " ,\n "),
            text(many, head: " {\n\"salons\" : [ ", tail: " ] , \"salons\": 7, \"n\": {} }\n"),
        ] {
            let chunks = Bytes.decode(bytes, limits: JSONLimits(), chunkLength: length)
            let list = try #require(chunks, "it was not split")
            #expect(try list == readWhole(bytes).get())
            let models = SalonListCodec.decode(bytes, limits: JSONLimits(), chunkLength: length)
            #expect(try #require(models) == readWholeModels(bytes).get())
        }
    }

    @Test(
        "cannot be split if its text is invalid, or has other members before or in the list",
        arguments: [
            ("", ",]}"), ("", "]"), ("", "]}}"), ("", "] x}"), ("", #"],"a":"]"}"#), ("", "}"),
            ("", "," + String(repeating: " ", count: 200) + "]}"),
            (",", "]}"), ("7,", "]}"), ("{},", "]}"), ("x", "]}"),
        ]
    )
    func wrong(first: String, tail: String) {
        let many = [String](repeating: Self.elements[0], count: 30)
        let bytes = text(many, head: #"{"salons":["# + first, tail: tail)
        #expect(Bytes.decode(bytes, limits: JSONLimits(), chunkLength: 300) == nil)
        #expect(SalonListCodec.decode(bytes, limits: JSONLimits(), chunkLength: 300) == nil)
    }

    @Test("may have any white space between its tokens", arguments: [" ", "\n", "\r", "\t"])
    func whiteSpace(space: String) throws {
        let many = [String](repeating: Self.elements[0], count: 30)
        let bytes = text(
            many,
            separator: "\(space),\(space)",
            head: "\(space){\(space)\"salons\"\(space):\(space)[\(space)",
            tail: "\(space)]\(space)}\(space)"
        )
        let list = Bytes.decode(bytes, limits: JSONLimits(), chunkLength: 300)
        #expect(try #require(list) == readWhole(bytes).get())
    }

    @Test("cannot be split if the text ends before the first element")
    func noElements() {
        for head in ["{", #"{"salons""#, #"{"salons":"#] {
            let bytes = text([], head: head, tail: String(repeating: " ", count: 300))
            #expect(Bytes.decode(bytes, limits: JSONLimits(), chunkLength: 200) == nil)
        }
    }

    @Test("is empty if there is nothing between its brackets")
    func empty() throws {
        let bytes = text([], tail: "]" + String(repeating: " ", count: 300) + "}")
        let list = Bytes.decode(bytes, limits: JSONLimits(), chunkLength: 200)
        #expect(try #require(list).count == 0)
    }

    @Test("is one chunk if its elements are exactly as long as a chunk")
    func exactLength() throws {
        let length = Self.elements[0].utf8.count
        let bytes = text([Self.elements[0]])
        let list = Bytes.decode(bytes, limits: JSONLimits(), chunkLength: length)
        #expect(try #require(list).count == 1)
        // It cannot be split, because it has no comma between two elements.
        #expect(Bytes.decode(bytes, limits: JSONLimits(), chunkLength: length - 1) == nil)
    }

    @Test("has the same errors as a list that is read as a whole")
    func errors() {
        var many = [String](repeating: Self.elements[0], count: 30_000)
        many[29_000] = many[29_000].replacing(#""name":"a""#, with: #""name":7"#)
        let bytes = text(many)
        #expect(bytes.count > 2 * ListChunks.defaultLength)
        let error = JSONError.mismatch(path: "salons[29000].name", expected: "a string")
        #expect(throws: error) { try Bytes.decode(bytes) }
        #expect(throws: error) { try SalonListCodec.decode(bytes) }
    }

    @Test("has the same limits as a list that is read as a whole")
    func limits() {
        let nested = #"{\#(Self.plain),"name":"x","more":[[[]]]}"#
        let bytes = text([String](repeating: nested, count: 20))
        for (depth, isRead) in [(6, true), (5, false)] {
            let list = Bytes.decode(
                bytes,
                limits: JSONLimits(maximumDepth: depth),
                chunkLength: 500
            )
            #expect((list != nil) == isRead, "\(depth)")
            let models = SalonListCodec.decode(
                bytes,
                limits: JSONLimits(maximumDepth: depth),
                chunkLength: 500
            )
            #expect(models?.count == (isRead ? 20 : nil), "\(depth)")
            let whole = try? JSONDocument(parsing: bytes, limits: JSONLimits(maximumDepth: depth))
            #expect((whole != nil) == isRead, "\(depth)")
        }
        let few = JSONLimits(maximumBytes: bytes.count - 1)
        #expect(Bytes.decode(bytes, limits: few, chunkLength: 500) == nil)
        #expect(SalonListCodec.decode(bytes, limits: few, chunkLength: 500) == nil)
    }

    @Test("has the received array, without a copy, if its text is already canonical")
    func shared() throws {
        let many = [String](repeating: Self.elements[0], count: 50)
        let canonical = try readWhole(text(many)).get().bytes
        let chunks = Bytes.decode(canonical, limits: JSONLimits(), chunkLength: 500)
        let list = try #require(chunks)
        #expect(list.bytes == canonical && list.count == 50)
        let isSame = list.bytes.withUnsafeBytes { one in
            canonical.withUnsafeBytes { $0.baseAddress == one.baseAddress }
        }
        #expect(isSame)
    }

    @Test("is rewritten from the first difference to the canonical text", arguments: 0..<50)
    func rewritten(number: Int) throws {
        let many = [String](repeating: Self.elements[0], count: 50)
        let canonical = try readWhole(text(many)).get().bytes
        let element = try SalonCodec.encode(SalonCodec.decode(Array(Self.elements[0].utf8)))
        let step = element.count + 1
        var other = canonical
        other.insert(0x20, at: #"{"salons":["#.utf8.count + number * step + element.count - 1)
        let chunks = Bytes.decode(other, limits: JSONLimits(), chunkLength: 500)
        #expect(try #require(chunks).bytes == canonical)
        let tail = canonical + [0x0A]
        #expect(Bytes.decode(tail, limits: JSONLimits(), chunkLength: 500)?.bytes == canonical)
        let head = [0x20] + canonical
        #expect(Bytes.decode(head, limits: JSONLimits(), chunkLength: 500)?.bytes == canonical)
    }
}
