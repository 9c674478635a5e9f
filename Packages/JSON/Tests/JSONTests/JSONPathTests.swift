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
        do throws(JSONError) {
            _ = try document.root.array().first { _ in true }?.string()
        } catch {
            #expect(error.description == "[0] must be a string")
        }
        let one = document.pathComputations.load(ordering: .relaxed)
        #expect(one == 1)
    }

    @Test("paths are compared as text, even if no other reference to the document is left")
    func equality() throws {
        func missing() -> JSONError? {
            do throws(JSONError) {
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
