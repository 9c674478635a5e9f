import Testing

@testable import Persistence

@Suite("The name of a stored file")
struct StoreNameTests {
    @Test(
        "has 1 to 100 of the allowed characters, and no dot at the start",
        arguments: [
            "a", "z", "0", "9", "-", "_", "a.b", "a-0_9.z", String(repeating: "a", count: 100),
        ]
    )
    func valid(_ name: String) { #expect(StoreFile(name, suffix: "").isValid) }

    @Test(
        "is rejected if it could be a path, or differ from a valid name only in case",
        arguments: [
            "", ".", "..", ".a", "a/b", "/", "A", "Z", "a b", "ä", "a\0", ":", "`", "{", "^", ",",
            String(repeating: "a", count: 101),
        ]
    )
    func invalid(_ name: String) { #expect(!StoreFile(name, suffix: "").isValid) }
}
