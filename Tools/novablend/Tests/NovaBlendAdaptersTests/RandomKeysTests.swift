import Testing

@testable import NovaBlendAdapters

@Suite("Generated idempotency keys")
struct RandomKeysTests {
    @Test("are UUIDs of version 4")
    func version() throws {
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for _ in 0..<100 {
            let key = RandomKeys().makeKey()
            #expect(try uuid.wholeMatch(in: key) != nil, "\(key)")
        }
    }
}
