@_spi(JSONRPC) import JSON
import Testing

@Suite("Reading JSON")
struct JSONReadingTests {
    private func root(_ text: String, limits: JSONLimits = JSONLimits()) throws -> JSONValue {
        try JSONDocument(parsing: Array(text.utf8), limits: limits).root
    }

    private func error(_ body: () throws(JSONError) -> Void) -> JSONError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("every kind of value is recognized and read")
    func kinds() throws {
        let text = #"{"o":{},"a":[1],"s":"x","n":1.5,"b":true,"z":null}"#
        let object = try root(text).object()
        let kinds = object.map(\.value.kind)
        #expect(kinds == [.object, .array, .string, .number, .bool, .null])
        #expect(object.map(\.key) == ["o", "a", "s", "n", "b", "z"])
        #expect(try object.required("s").string() == "x")
        #expect(try object.required("n").number() == 1.5)
        #expect(try object.required("b").bool())
        #expect(object["z"]?.isNull == true && object.optional("z") == nil)
        #expect(object["missing"] == nil && object.member(named: "s") != nil)
    }

    @Test("members are found by keys that are known only at run time")
    func dynamicKeys() throws {
        let object = try root(#"{"list":[{"é":1,"z":null}]}"#).object()
        let inner = try #require(Array(object.required(named: "list").array()).first).object()
        for key in ["e\u{301}", "é"] {
            // Keys are compared byte by byte.
            #expect((inner.optional(named: key) == nil) == (key.utf8.count == 3))
        }
        #expect(try inner.required(named: "é").integer() == 1)
        #expect(try inner.required(named: "z").isNull && inner.optional(named: "z") == nil)
        let missing = error { () throws(JSONError) in _ = try inner.required(named: "x.y") }
        #expect(missing == .mismatch(path: #"list[0]["x.y"]"#, expected: "present"))
    }

    @Test("an error contains the path of the value, through objects and arrays")
    func paths() throws {
        let text = #"{"meta":{"a":[0,[1]]},"salons":[{"n":1},{"n":2,"open_time":"late"}]}"#
        let object = try root(text).object()
        let second = try #require(Array(object.required("salons").array()).last).object()
        let failure = error { () throws(JSONError) in
            _ = try second.required("open_time").number()
        }
        #expect(failure == .mismatch(path: "salons[1].open_time", expected: "a number"))
        let missing = error { () throws(JSONError) in _ = try second.required("id") }
        #expect(missing?.description == "salons[1].id must be present")
        let inner = try object.required("meta").object().required("a").array()
        #expect(try Array(#require(Array(inner).last).array()).first?.path == "meta.a[1][0]")
    }

    @Test(
        "integers may be written as 1.0 or 1e3; nothing is rounded or wrapped",
        arguments: [
            ("1", 1), ("1.0", 1), ("-0.0", 0), ("1e3", 1_000), ("9223372036854775807", Int.max),
            ("-9223372036854775808", Int.min), ("1.5", nil), ("9223372036854775808", nil),
            ("9007199254740991.0", 1 << 53 - 1), ("-9007199254740991.0", 1 - 1 << 53),
            ("9007199254740992.0", nil), ("9007199254740993.0", nil),
            ("9007199254740993", 1 << 53 + 1),
            ("-9007199254740992e0", nil), ("1e300", nil), ("\"1\"", nil), ("true", nil),
        ] as [(String, Int?)]
    )
    func integers(text: String, expected: Int?) throws {
        #expect((try? root(text).integer()) == expected)
    }

    @Test("strings contain every character, escaped or not")
    func strings() throws {
        let text = #""\u0000\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é 😀""#
        let expected = "\u{0}\"\\/\u{8}\u{c}\n\r\té😀 é 😀"
        #expect(try root(text).string() == expected)
        #expect(try root(text).withUTF8 { $0.count } == expected.utf8.count)
    }

    @Test(
        "strings of every length are read unchanged",
        arguments: ["a", "é", "a😀", "aaaaaaaaaaaaaaé"]
    )
    func length(unit: String) throws {
        for count in 0...40 {
            let text = String(repeating: unit, count: count)
            let read = try root("\"\(text)\"").string()
            #expect(read == text && Array(read.utf8) == Array(text.utf8))
            #expect(read.hashValue == text.hashValue)
        }
    }

    @Test(
        "invalid UTF-8 is rejected",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) {
            try JSONDocument(parsing: [0x22] + bytes + [0x22])
        }
    }

    @Test(
        "nesting up to the limit is accepted; deeper nesting, even 100,000 levels, is tooDeep"
    )
    func depth() throws {
        let limits = JSONLimits(maximumDepth: 128)
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "["), count: depth)
                + Array(repeating: UInt8(ascii: "]"), count: depth)
        }
        _ = try JSONDocument(parsing: nested(128), limits: limits)
        for depth in [129, 100_000] {
            #expect(throws: JSONError.tooDeep(maximumDepth: 128)) {
                try JSONDocument(parsing: nested(depth), limits: limits)
            }
        }
        #expect(throws: JSONError.self) {
            try JSONDocument(parsing: Array(repeating: UInt8(ascii: "["), count: 100_000))
        }
    }

    @Test("a text of the maximum size is accepted; one more byte is tooLarge")
    func size() throws {
        let limits = JSONLimits(maximumBytes: 4)
        #expect(try root("1234", limits: limits).integer() == 1_234)
        let valid = JSONDocument(validating: Array("1234".utf8), limits: limits)
        #expect(try valid?.root.integer() == 1_234)
        #expect(JSONDocument(validating: Array("12345".utf8), limits: limits) == nil)
        #expect(throws: JSONError.tooLarge(maximumBytes: 4)) {
            try root("12345", limits: limits)
        }
    }

    @Test("if a key occurs twice, the first value is returned; duplicate keys can be detected")
    func duplicateKeys() throws {
        let object = try root(#"{"a":1,"b":2,"a":3}"#).object()
        #expect(try object.required("a").integer() == 1)
        #expect(object.hasDuplicateKeys == true)
        #expect(try root(#"{"a":{"b":1},"b":2}"#).object().hasDuplicateKeys == false)
    }

    @Test("a lookup does not search beyond the end of the object")
    func endOfObject() throws {
        // Here the tape index of the object equals the string offset of "k": they must not be confused.
        let object = try #require(Array(root(#"["x","k",1,{"a":2}]"#).array()).last).object()
        #expect(object["k"] == nil && object["x"] == nil && object["a"] != nil)
        let empty = try #require(Array(root(#"["x","k",1,{}]"#).array()).last).object()
        #expect(empty["k"] == nil)
    }

    @Test("forEachElement visits elements in order until an error is thrown")
    func elements() throws {
        let array = try root(#"[1,[2],{"a":3},"x"]"#).array()
        var kinds: [JSONValue.Kind] = []
        array.forEachElement { kinds.append($0.kind) }
        #expect(kinds == [.number, .array, .object, .string])
        try root("[]").array().forEachElement { _ in Issue.record("there are no elements") }
        var count = 0
        #expect(throws: JSONError.self) {
            try array.forEachElement { element throws(JSONError) in
                count += 1
                _ = try element.number()
            }
        }
        #expect(count == 2)
    }

    @Test("a value keeps its document alive, even on a different thread")
    func lifetime() async throws {
        let value = try root(#"["text"]"#)
        let text = try await Task.detached { try Array(value.array())[0].string() }.value
        #expect(text == "text")
    }

    @Test("more elements are counted than fit in the count on the tape")
    func saturatedCount() throws {
        let count = 0xFF_FFFF + 2
        var bytes: [UInt8] = Array(repeating: UInt8(ascii: ","), count: count * 2 + 1)
        bytes[0] = UInt8(ascii: "[")
        bytes[count * 2] = UInt8(ascii: "]")
        for element in 0..<count { bytes[element * 2 + 1] = UInt8(ascii: "0") }
        #expect(try JSONDocument(parsing: bytes).root.array().count == count)
    }

    @Test(
        "only integers with a single spelling are canonical",
        arguments: [
            ("1", 1), ("-7", -7), ("9223372036854775807", Int.max), ("0", nil), ("-0", nil),
            ("1.0", nil), ("1e2", nil), ("9223372036854775808", nil), ("\"1\"", nil), ("null", nil),
        ] as [(String, Int?)]
    )
    func canonicalIntegers(text: String, expected: Int?) throws {
        #expect(try root(text).canonicalInteger == expected)
    }

    @Test(
        "unused array capacity after the text does not change the result",
        arguments: [0, 1, 63, 64, 4_096]
    )
    func unusedCapacity(count: Int) throws {
        for length in [1, 2, 63, 64, 65, 70_000] {
            let text = Array("\"\(String(repeating: "é", count: length))\"".utf8)
            var padded = text
            padded.reserveCapacity(text.count + count)
            // Fill the unused capacity with bytes that would be invalid in the text.
            padded.append(contentsOf: repeatElement(UInt8(ascii: "]"), count: count))
            padded.removeLast(count)
            let read = try JSONDocument(parsing: padded).root.string()
            #expect(read.utf8.count == 2 * length && read.allSatisfy { $0 == "é" })
            padded.removeLast()
            #expect(throws: JSONError.self) { try JSONDocument(parsing: padded) }
        }
    }
}
