import Synchronization
import Testing

@testable import JSON

@Suite("Paths in errors")
struct JSONPathTests {
    @Test("the path is computed when an error is displayed, not when it is ignored")
    func lazy() throws {
        let document = try JSONDocument(parsing: Array("[1,{},\"x\",null]".utf8))
        for value in try document.root.array() {
            #expect((try? value.bool()) == nil)
            #expect((try? value.object().required("a")) == nil)
        }
        let none = document.pathComputations.load(ordering: .relaxed)
        #expect(none == 0)
        do {
            _ = try document.root.array().first { _ in true }?.string()
        } catch {
            #expect(error.description == "[0] must be a string")
        }
        let one = document.pathComputations.load(ordering: .relaxed)
        #expect(one == 1)
    }

    @Test(
        "a key that could be confused with other parts of a path is quoted",
        arguments: [
            ("font.size", #"["font.size"].x[0]"#), ("", #"[""].x[0]"#), ("[1]", #"["[1]"].x[0]"#),
            ("a b", #"["a b"].x[0]"#), ("\"", #"["\""].x[0]"#), ("\n", #"["\n"].x[0]"#),
            ("\u{1}", #"["\u0001"].x[0]"#), ("größe-2_$é", "größe-2_$é.x[0]"),
        ]
    )
    func quotedKeys(key: String, path: String) throws {
        let member = JSONFragment(trusted: Array(#"{"x":[1]}"#.utf8))
        let text = JSONFragment { $0.object { $0.member(named: key, member) } }
        let value = try JSONDocument(parsing: text.bytes).root
        let inner = try value.object().required(named: key).object().required("x").array()
        #expect(inner.map(\.path) == ["\(path)"])
        let mismatch = #expect(throws: JSONError.self) {
            try value.decode([String: [String: [String]]].self)
        }
        #expect(mismatch == .mismatch(path: "\(path)", expected: "a string"))
    }

    @Test("paths are compared as text, even if no other reference to the document is left")
    func equality() throws {
        func missing() -> JSONError? {
            do {
                let document = try JSONDocument(parsing: Array(#"{"a":[{}]}"#.utf8))
                let first = try document.root.object().required("a").array().first { _ in true }
                _ = try first?.object().required("key")
                return nil
            } catch {
                return error
            }
        }
        #expect(missing() == .mismatch(path: "a[0].key", expected: "present"))
        #expect(missing() != .mismatch(path: "a[1].key", expected: "present"))
        #expect(missing()?.hashValue == missing()?.hashValue)
    }
}
