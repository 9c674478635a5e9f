import Testing

@testable import Persistence

@Suite("Names in a store")
struct StoreNameTests {
    @Test(
        "have 1 to 100 of the allowed characters, and no dot at the beginning",
        arguments: [
            "a", "z", "0", "9", "-", "_", "a.b", "a-0_9.z", String(repeating: "a", count: 100),
        ]
    )
    func valid(_ name: String) { #expect(StoreFile(name, suffix: "").isValid) }

    @Test(
        "that could lead elsewhere, or differ by case only, are rejected",
        arguments: [
            "", ".", "..", ".a", "a/b", "/", "A", "Z", "a b", "ä", "a\0", ":", "`", "{", "^", ",",
            String(repeating: "a", count: 101),
        ]
    )
    func invalid(_ name: String) { #expect(!StoreFile(name, suffix: "").isValid) }
}
