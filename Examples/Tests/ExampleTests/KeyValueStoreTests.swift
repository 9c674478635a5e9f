import SystemTestSupport
import Testing

@Suite("key-value-store", .timeLimit(.minutes(10)))
struct KeyValueStoreTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ words: String...) async throws -> Execution {
        try await Execution(["key-value-store", directory.path + "/store"] + words)
    }

    @Test("Values can be read, listed, and deleted by later processes")
    func values() async throws {
        for (key, text) in [("greeting", "hello"), ("User:42", "Ada"), ("https://a/b?c", "")] {
            let set = try await run("set", key, text)
            #expect(set.code == 0, "\(set.errors)")
        }
        #expect(try await run("get", "User:42", "greeting").output == "Ada\nhello\n")
        #expect(try await run("list").lines == ["User:42", "greeting", "https://a/b?c"])
        #expect(try await run("delete", "User:42").code == 0)
        let missing = try await run("get", "greeting", "User:42")
        #expect(missing.code == 1)
        #expect(missing.errors == "key-value-store: no value for User:42\n")
        #expect(try await run("clear").code == 0)
        #expect(try await run("list").output == "")
    }

    @Test("A process sees the changes of other processes")
    func changes() async throws {
        async let watch = run("watch", "3")
        let watching = Task { [directory] in
            while !Task.isCancelled {
                let store = directory.path + "/store"
                _ = try await Execution(["key-value-store", store, "set", "a", "x"])
            }
        }
        #expect(try await watch.lines == ["set a", "set a", "set a"])
        watching.cancel()
        _ = try await watching.value
    }

    @Test("With a limit, the least recently used values are deleted")
    func limit() async throws {
        let store = directory.path + "/store"
        let cache = ["key-value-store", "--maximum-bytes", "300", "--maximum-age", "60", store]
        for number in 1...5 {
            let text = String(repeating: "x", count: 60)
            let set = try await Execution(cache + ["set", "key \(number)", text])
            #expect(set.code == 0, "\(set.errors)")
        }
        let list = try await Execution(cache + ["list"])
        #expect(list.lines.count == 2 && list.lines.last == "key 5")
    }
}
