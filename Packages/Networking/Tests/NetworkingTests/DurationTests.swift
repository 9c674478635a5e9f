import Testing

@testable import Networking

@Suite("A duration in milliseconds")
struct DurationTests {
    @Test("is rounded up, so that it is zero only for no time")
    func rounding() {
        #expect(Duration.zero.milliseconds == 0)
        #expect(Duration.nanoseconds(1).milliseconds == 1)
        #expect(Duration.milliseconds(1).milliseconds == 1)
        #expect((Duration.milliseconds(1) + .nanoseconds(1)).milliseconds == 2)
        #expect(Duration.milliseconds(1_999).milliseconds == 1_999)
        #expect((Duration.milliseconds(1_999) + .nanoseconds(1)).milliseconds == 2_000)
    }

    @Test("is between zero and what libcurl accepts")
    func bounds() {
        #expect(Duration.nanoseconds(-1).milliseconds == 0)
        #expect(Duration.seconds(Int64.min).milliseconds == 0)
        #expect(Duration.longest.milliseconds == Int(Int32.max))
        #expect((Duration.longest + .nanoseconds(1)).milliseconds == Int(Int32.max))
        #expect(Duration.seconds(Int64.max).milliseconds == Int(Int32.max))
    }
}
