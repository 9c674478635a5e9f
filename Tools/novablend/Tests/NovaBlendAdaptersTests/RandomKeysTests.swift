import Testing

@testable import NovaBlendAdapters

@Suite("Idempotency keys that the program generates")
struct RandomKeysTests {
    @Test("each is a UUID of version 4")
    func version() throws {
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<100 {
            let key = RandomKeys().makeKey()
            #expect(try uuid.wholeMatch(in: key) != nil, "\(key)")
        }
    }
}
