import Testing

@testable import Networking

@Suite("Durations in milliseconds")
struct DurationTests {
    @Test("Milliseconds are rounded up, so that only zero or less becomes zero")
    func rounding() {
        #expect(Duration.zero.milliseconds == 0)
        #expect(Duration.nanoseconds(1).milliseconds == 1)
        #expect(Duration.milliseconds(1).milliseconds == 1)
        #expect((Duration.milliseconds(1) + .nanoseconds(1)).milliseconds == 2)
        #expect(Duration.milliseconds(1_999).milliseconds == 1_999)
        #expect((Duration.milliseconds(1_999) + .nanoseconds(1)).milliseconds == 2_000)
    }

    @Test("Milliseconds are between zero and the longest time that libcurl accepts")
    func bounds() {
        #expect(Duration.nanoseconds(-1).milliseconds == 0)
        #expect(Duration.seconds(Int64.min).milliseconds == 0)
        #expect(Duration.longest.milliseconds == Int(Int32.max))
        #expect((Duration.longest + .nanoseconds(1)).milliseconds == Int(Int32.max))
        #expect(Duration.seconds(Int64.max).milliseconds == Int(Int32.max))
    }
}
