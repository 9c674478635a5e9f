import JSON
import Testing

@Suite("Encoded objects")
struct ObjectFragmentTests {
    @Test("an object has the members that the closure writes, in order")
    func members() {
        let object = ObjectFragment { writer in
            writer.member("b", 1)
            writer.member("a", "x")
        }
        #expect(object.fragment.description == #"{"b":1,"a":"x"}"#)
        #expect(ObjectFragment.empty.fragment.description == "{}")
    }

    @Test("a value that is encoded as an object is accepted, and other values are errors")
    func encodable() throws {
        struct Point: Encodable { let x = 1 }
        #expect(try ObjectFragment(encoding: Point()).description == #"{"x":1}"#)
        #expect(try ObjectFragment(encoding: [String: Int]()).description == "{}")
        let expected = JSONError.mismatch(path: "", expected: "an object")
        #expect(throws: expected) { try ObjectFragment(encoding: [Point()]) }
        #expect(throws: expected) { try ObjectFragment(encoding: "{}") }
        #expect(throws: JSONError.mismatch(path: "x", expected: "a finite number")) {
            try ObjectFragment(encoding: ["x": Double.nan])
        }
    }

    @Test("an error of the closure is thrown")
    func failure() {
        #expect(throws: JSONError.self) {
            try ObjectFragment { writer throws(JSONError) in
                writer.member("a", try JSONDocument(parsing: []).root.string())
            }
        }
    }

    @Test("large values are shared, not copied, as in other fragments")
    func splice() {
        let large = ArraySlice(
            JSONFragment { $0.string(String(repeating: "x", count: 100_000)) }.bytes
        )
        let object = ObjectFragment { writer in
            writer.key("large")
            writer.splice(large)
        }
        var chunks: [Int] = []
        object.fragment.forEachChunk { chunks.append($0.count) }
        #expect(chunks == [9, 100_002, 1])
    }
}
