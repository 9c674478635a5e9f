import Testing

@Suite("key-value-store")
struct KeyValueStoreTests {
    @Test("A value can be read by a later process")
    func values() async throws {
        let directory = try TemporaryDirectory()
        let store = directory.path + "/store"
        let set = try await Execution("key-value-store", store, "set", "greeting", "hello")
        #expect(set.code == 0, "\(set.errors)")
        let get = try await Execution("key-value-store", store, "get", "greeting")
        #expect(get.output == "hello\n")
        let list = try await Execution("key-value-store", store, "list")
        #expect(list.lines == ["greeting"])
        let missing = try await Execution("key-value-store", store, "get", "other")
        #expect(missing.code == 1 && missing.errors == "key-value-store: no value for other\n")
    }
}
