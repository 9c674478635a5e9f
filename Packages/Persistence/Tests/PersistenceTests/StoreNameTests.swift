import Testing

@testable import Persistence

@Suite("The file name of a stored name")
struct StoreNameTests {
    private func file(_ name: String) -> String { StoreFile(name, suffix: ".s").description }

    @Test(
        "is the name itself if that is plain",
        arguments: ["a", "z", "0", "9", "-", "_", "a.b", "a-0_9.z", "a.", "a.snapshot"]
    )
    func plain(_ name: String) {
        #expect(file(name) == name + ".s")
        #expect(StoreFile.name(of: name + ".s", suffix: ".s") == name)
    }

    @Test(
        "escapes every other byte, and a dot at the start",
        arguments: [
            ("", "%"), (".", "%2e"), ("..", "%2e."), (".a", "%2ea"), ("a/b", "a%2fb"),
            ("A", "%41"), ("Z", "%5a"), ("User:42", "%55ser%3a42"), ("ä", "%c3%a4"),
            ("a\0", "a%00"), ("%", "%25"), ("+", "%2b"), ("`", "%60"), ("{", "%7b"), (",", "%2c"),
            ("\u{7F}", "%7f"),
        ]
    )
    func escaped(_ name: String, _ escaped: String) {
        #expect(file(name) == escaped + ".s")
        #expect(StoreFile.name(of: escaped + ".s", suffix: ".s") == name)
    }

    @Test(
        "is unique: a different spelling of it belongs to no name",
        arguments: [
            "", "A", ".a", "a b", "%4", "%g0", "%2E", "%61", "a%2e", "%%", "%+4", "%ff",
            String(repeating: "a", count: 201), "a+0",
        ]
    )
    func foreign(_ file: String) {
        #expect(StoreFile.name(of: file + ".s", suffix: ".s") == nil)
    }

    @Test("has at most 200 bytes: a longer one is cut off between bytes, and has a hash")
    func long() {
        let longest = String(repeating: "a", count: 200)
        #expect(file(longest) == longest + ".s")
        for name in [longest + "b", String(repeating: "/", count: 67), longest + "/"] {
            let stored = StoreFile(name, suffix: ".s", canStoreName: true)
            let parts = stored.description.dropLast(2).split(separator: "+")
            #expect(stored.isValid && stored.storedName == Array(name.utf8))
            #expect(parts.count == 2 && stored.description.utf8.count <= 202)
            #expect(parts[0].utf8.count.isMultiple(of: 3) || name.hasPrefix("a"))
            #expect(StoreFile.name(of: stored.description, suffix: ".s") == nil)
            #expect(StoreFile.hasStoredName(stored.description, suffix: ".s"))
        }
        #expect(file(longest + "b") != file(longest + "c"))
    }

    @Test("of a file that cannot contain its name is not cut off")
    func withoutStoredName() {
        #expect(StoreFile(String(repeating: "a", count: 200), suffix: ".s").isValid)
        #expect(!StoreFile(String(repeating: "a", count: 201), suffix: ".s").isValid)
        #expect(StoreFile(String(repeating: "/", count: 66), suffix: ".s").isValid)
        #expect(!StoreFile(String(repeating: "/", count: 67), suffix: ".s").isValid)
    }
}
