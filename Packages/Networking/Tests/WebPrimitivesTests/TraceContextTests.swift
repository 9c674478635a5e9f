import Testing
import WebPrimitives

/// The cases of the W3C's own test suite (`w3c/trace-context`, level 1), and their boundaries.
@Suite("A trace context")
struct TraceContextTests {
    private static let ids = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
    private static let parent = "00-\(ids)-01"

    @Test(
        "has an unchanged parent of version 00",
        arguments: ["00", "01", "02", "ff"].map { "00-\(ids)-\($0)" }
    )
    func version00(parent: String) {
        let context = TraceContext(parent: parent)
        #expect(context?.parent == parent)
        #expect(context?.traceID == "0af7651916cd43dd8448eb211c80319c")
    }

    @Test(
        "has of later versions only what version 00 defines",
        arguments: [
            ("01-\(ids)-01", "01"), ("fe-\(ids)-00", "00"), ("cc-\(ids)-01-", "01"),
            ("cc-\(ids)-03-what-\u{1}", "01"), ("01-\(ids)-fe-x", "00"), ("01-\(ids)-0b", "01"),
            ("01-\(ids)-\("a\u{308}")", nil),
        ]
    )
    func laterVersions(parent: String, flags: String?) {
        #expect(TraceContext(parent: parent)?.parent == flags.map { "00-\(Self.ids)-\($0)" })
    }

    @Test(
        "does not exist if the parent is invalid",
        arguments: [
            "", "00", "00-\(ids)-0", "00-\(ids)-01-", "00-\(ids)-01-x", "00-\(ids)-01 ",
            " 00-\(ids)-01", "00-\(ids)-01\n", "00-\(ids)-01, 00-\(ids)-01", "ff-\(ids)-01",
            "cc-\(ids)-01.x", "cc-\(ids)-01, cc-\(ids)-01", "0-\(ids)-01", "0x-\(ids)-01",
            "00-\(ids.uppercased())-01", "00-\(ids)-0X", "00-\(ids)-.0",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "cc-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-011",
            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01",
            "00-0af7651916cd43dd8448eb211c80319\u{0}-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c8031\u{E9}-b7ad6b7169203331-01",
        ]
    )
    func invalidParent(parent: String) {
        #expect(TraceContext(parent: parent, state: "a=1") == nil)
    }

    @Test(
        "has a valid state, unchanged",
        arguments: [
            "a=1", "a=1,b=2", "a=1 \t,\t b=2", "a=1,,b=2,", "a=1,a=2",
            "a-b_c*d/e9=!#~ x", "1t@s=1", "t9-_*/@s9-_*/=1", "a= 1",
            String(repeating: "k", count: 256) + "=v", "a=" + String(repeating: "v", count: 256),
            String(repeating: "t", count: 241) + "@" + String(repeating: "s", count: 14) + "=v",
            (1...32).map { "a\($0)=1" }.joined(separator: ","),
            longState(512),
        ]
    )
    func validState(state: String) {
        #expect(TraceContext(parent: Self.parent, state: state)?.state == state)
    }

    @Test(
        "has no state if it is invalid, but keeps the parent",
        arguments: [
            "", " ", ",", "a", "=1", "a=", "a= ", "A=1", "1a=1", "a=1=2", "a =1", "a\u{E9}=1",
            "a=\u{E9}",
            "a=1\r\nX-Injected: 1", "a=\u{7F}", "a=b\tc", "a@=1", "@s=1", "a@b@c=1", "a@1s=1",
            "a.b=1",
            "a=1,b", String(repeating: "k", count: 257) + "=v",
            "a=" + String(repeating: "v", count: 257),
            String(repeating: "t", count: 242) + "@s=v",
            "t@" + String(repeating: "s", count: 15) + "=v",
            (1...33).map { "a\($0)=1" }.joined(separator: ","),
            longState(513),
        ]
    )
    func invalidState(state: String) {
        let context = TraceContext(parent: Self.parent, state: state)
        #expect(context?.parent == Self.parent && context?.state == nil)
    }

    /// A state of that length which is valid apart from that.
    private static func longState(_ length: Int) -> String {
        let first = "a=" + String(repeating: "v", count: 256) + ",b="
        return first + String(repeating: "v", count: length - first.utf8.count)
    }
}
