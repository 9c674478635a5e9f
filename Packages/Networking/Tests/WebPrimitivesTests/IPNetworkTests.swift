import Testing
import WebPrimitives

@Suite("IP networks")
struct IPNetworkTests {
    @Test(
        "are addresses with an optional prefix length",
        arguments: [
            ("10.0.0.0/8", true), ("0.0.0.0/0", true), ("::/0", true), ("2001:db8::/32", true),
            ("::1", true), ("10.0.0.0/33", false), ("::/129", false), ("10.0.0.0/", false),
            ("10.0.0.0/+8", false), ("10.0.0.0/8/8", false), ("10.0.0.0/8\u{301}", false),
            ("10.0.0.0\0/8", false), ("::1\0", false), ("10.0.0.0/\u{668}", false),
            ("10.0.0", false), ("h", false), ("", false), ("[::1]", false),
        ]
    )
    func format(text: String, isValid: Bool) { #expect((IPNetwork(text) != nil) == isValid) }

    @Test(
        "contain the addresses that begin with their prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("10.0.0.0/8", "a00::", false),
            ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "::1", false),
            ("::/0", "2001:db8::1", true), ("2001:db8:8000::/33", "2001:db8:ffff::", true),
            ("2001:db8:8000::/33", "2001:db8:7fff::", false), ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
        ]
    )
    func members(network: String, address: String, isMember: Bool) throws {
        let found = try #require(IPNetwork(network)).contains(try #require(IPAddress(address)))
        #expect(found == isMember)
    }
}
