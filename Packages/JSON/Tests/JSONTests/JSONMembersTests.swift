import JSON
import Testing

@Suite("Fast member lookup")
struct JSONMembersTests {
    private func members(_ text: String) throws -> JSONMembers {
        try JSONDocument(parsing: Array(text.utf8)).root.object().members
    }

    @Test(
        "finds the same members as JSONObject, in any order, with other members in between",
        arguments: [
            #"{"a":1,"b":2,"c":3}"#, #"{"c":3,"b":2,"a":1}"#, #"{"b":2,"a":1,"c":3}"#,
            #"{"x":{"a":9,"b":[9]},"a":1,"y":[],"b":2,"z":"a","c":3}"#, #"{"a":1}"#, "{}",
            #"{"a":1,"a":4,"b":2,"b":5,"c":3,"c":6}"#, #"{"b":2,"a":1,"b":5,"a":4}"#,
            #"{"\u0061":1,"aa":7,"":8,"b":null,"c":3}"#, #"{"a":null,"c":3.5,"b":"\n"}"#,
        ]
    )
    func found(text: String) throws {
        let object = try JSONDocument(parsing: Array(text.utf8)).root.object()
        var members = try members(text)
        for key in ["a", "b", "c", "d"] as [StaticString] {
            #expect(members.optional(key).map(written) == object.optional(key).map(written))
        }
        var again = try self.members(text)
        for key in ["a", "b", "c", "d"] as [StaticString] {
            #expect((try? again.required(key)).map(written) == object[key].map(written))
        }
    }

    private func written(_ value: JSONValue) -> String {
        JSONFragment { $0.value(value) }.description
    }

    @Test(
        "compares all bytes of a key",
        arguments: [
            "", "a", "ab", "abc", "abcd", "abcde", "abcdefg", "abcdefgh", "abcdefghi",
            "abcdefghijklmno", "abcdefghijklmnop", "abcdefghijklmnopq",
            "opening_hours_\u{e9}_of_it",
        ] as [StaticString]
    )
    func bytesOfKeys(key: StaticString) throws {
        var found = try members("{\"\(key)\":1}")
        #expect(try found.required(key).integer() == 1)
        let characters = Array("\(key)")
        var others = ["\(key)x", "x\(key)"]
        for position in characters.indices {
            var other = characters
            other[position] = "X"
            others.append(String(other))
            other.remove(at: position)
            others.append(String(other))
        }
        for other in others {
            var members = try members("{\"\(other)\":1,\"\(key)\":2}")
            #expect(try members.required(key).integer() == 2, "\(other)")
            #expect(try members.required(key).integer() == 2, "\(other)")
        }
    }

    @Test("the error for a missing member contains its path")
    func missing() throws {
        let root = try JSONDocument(parsing: Array(#"{"salons":[{"a":1}]}"#.utf8)).root
        var members = try #require(Array(root.object().required("salons").array()).first)
            .object().members
        #expect(try members.required("a").integer() == 1)
        #expect(
            throws: JSONError.mismatch(path: "salons[0].b", expected: "present")
        ) { try members.required("b") }
    }

    @Test(
        "duplicate keys are detected among any number of keys",
        arguments: [2, 3, 16, 17, 18, 40]
    )
    func duplicates(count: Int) throws {
        let keys = (0..<count).map { "\"k\($0)\":{\"k0\":[]}" }
        let distinct = try JSONDocument(parsing: Array("{\(keys.joined(separator: ","))}".utf8))
        #expect(try !distinct.root.object().hasDuplicateKeys)
        for duplicate in 0..<count {
            let text = (keys + ["\"\\u006b\(duplicate)\":1"]).joined(separator: ",")
            let document = try JSONDocument(parsing: Array("{\(text)}".utf8))
            #expect(try document.root.object().hasDuplicateKeys)
        }
        // Swift compares these two strings as equal.
        let equivalent = (keys + [#""\u00e4":1"#, #""a\u0308":1"#]).joined(separator: ",")
        let document = try JSONDocument(parsing: Array("{\(equivalent)}".utf8))
        #expect(try !document.root.object().hasDuplicateKeys)
    }
}
