import Glibc
import Testing
import WebPrimitives

@Suite("IP addresses")
struct IPAddressTests {
    /// The first and the last address of each special range of IPv4.
    private static let special4 = [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
        "127.0.0.0", "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254",
        "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.0.2.0",
        "192.0.2.255", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255",
        "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0",
        "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
    ]
    /// Their neighbors, and some more.
    private static let global4 = [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "191.255.255.255", "192.0.1.0", "192.0.1.255", "192.0.3.0", "192.88.98.255", "192.88.100.0",
        "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255",
        "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "8.8.8.8",
        "93.184.216.34",
    ]

    @Test("An IPv4 address in a special range is not public", arguments: special4)
    func privateFour(text: String) throws {
        #expect(try #require(IPAddress(text)).isGlobalUnicast == false)
    }

    @Test("An IPv4 address next to a special range is public", arguments: global4)
    func publicFour(text: String) throws {
        #expect(try #require(IPAddress(text)).isGlobalUnicast)
    }

    @Test(
        "An IPv6 address outside global unicast, or in a special range, is not public",
        arguments: [
            "::", "::1", "::2", "::7f00:1", "::808:808", "100::", "100::1", "1fff:ffff::",
            "4000::", "5f00::1", "fc00::", "fdff:ffff::1", "fe80::", "fe80::1", "febf::1",
            "fec0::1",
            "ff00::", "ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001::", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:20::1",
            "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::",
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b:1::", "64:ff9b:1::808:808",
            "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "64:ff9b:0:1::808:808", "64:ff9a::808:808",
            "::fffe:808:808", "::1:ffff:808:808",
        ]
    )
    func privateSix(text: String) throws {
        #expect(try #require(IPAddress(text)).isGlobalUnicast == false)
    }

    @Test(
        "An IPv6 address in global unicast is public",
        arguments: [
            "2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::",
            "2001:4860:4860::8888",
            "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::", "2003::1", "2606:2800:220:1::",
            "2a00:1450:4001::1", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::",
            "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ]
    )
    func publicSix(text: String) throws {
        #expect(try #require(IPAddress(text)).isGlobalUnicast)
    }

    @Test(
        "An address that embeds an IPv4 address is public if that address is",
        arguments: special4 + global4
    )
    func embedded(text: String) throws {
        let four = try #require(IPAddress(text))
        let bits = UInt32(truncatingIfNeeded: four.bits)
        let hex = String(bits >> 16, radix: 16) + ":" + String(bits & 0xFFFF, radix: 16)
        for six in ["::ffff:\(text)", "64:ff9b::\(text)", "2002:\(hex)::1", "2002:\(hex):8:8::"] {
            #expect(try #require(IPAddress(six)).isGlobalUnicast == four.isGlobalUnicast)
        }
    }

    @Test("An IPv4 address equals its mapped IPv6 address")
    func mapped() {
        #expect(IPAddress("1.2.3.4") == IPAddress(v4: 0x0102_0304))
        #expect(IPAddress("::ffff:1.2.3.4") == IPAddress("1.2.3.4"))
        #expect(IPAddress("::ffff:1.2.3.4")?.isIPv4 == true)
        #expect(IPAddress("::1.2.3.4")?.isIPv4 == false)
    }

    @Test(
        "The text of an address is parsed and written",
        arguments: [
            "0.0.0.0", "192.0.2.1", "::", "::1", "2001:db8::1", "102:304:506:708:90a:b0c:d0e:f10",
        ]
    )
    func text(text: String) { #expect(IPAddress(text)?.description == text) }

    @Test(
        "Other text is not an address",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "[::1]", "::1%lo", "1.2.3.4:80", "1.2.3.4\0",
        ]
    )
    func none(text: String) { #expect(IPAddress(text) == nil) }

    @Test("The address of a socket is read in network byte order, and only from IP families")
    func socket() {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_addr.s_addr = UInt32(0x0102_0304).bigEndian
        #expect(read(&four) == IPAddress("1.2.3.4"))
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "102:304:506:708:90a:b0c:d0e:f10", &six.sin6_addr)
        #expect(read(&six) == IPAddress(bits: 0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10))
        var local = sockaddr_un()
        local.sun_family = sa_family_t(AF_UNIX)
        #expect(read(&local) == nil)
    }

    private func read<Address>(_ address: inout Address) -> IPAddress? {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { IPAddress($0) }
        }
    }
}
