import Glibc
import Testing

@testable import Networking

@Suite("IP addresses")
struct IPAddressTests {
    /// Reads the text as a socket's address.
    private func address(_ text: String) -> IPAddress? {
        var four = sockaddr_in()
        if inet_pton(AF_INET, text, &four.sin_addr) == 1 {
            return IPAddress(family: AF_INET, &four)
        }
        var six = sockaddr_in6()
        guard inet_pton(AF_INET6, text, &six.sin6_addr) == 1 else { return nil }
        return IPAddress(family: AF_INET6, &six)
    }

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
        #expect(try #require(address(text)).isGlobalUnicast == false)
    }

    @Test("An IPv4 address next to a special range is public", arguments: global4)
    func publicFour(text: String) throws {
        #expect(try #require(address(text)).isGlobalUnicast)
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
        #expect(try #require(address(text)).isGlobalUnicast == false)
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
        #expect(try #require(address(text)).isGlobalUnicast)
    }

    @Test(
        "An address that embeds an IPv4 address is public if that address is",
        arguments: special4 + global4
    )
    func embedded(text: String) throws {
        let four = try #require(address(text))
        guard case .v4(let bits) = four else {
            Issue.record("not of IPv4")
            return
        }
        let hex = String(bits >> 16, radix: 16) + ":" + String(bits & 0xFFFF, radix: 16)
        for six in ["::ffff:\(text)", "64:ff9b::\(text)", "2002:\(hex)::1", "2002:\(hex):8:8::"] {
            #expect(try #require(address(six)).isGlobalUnicast == four.isGlobalUnicast)
        }
    }

    @Test("An address is read in network byte order, and only from IP families")
    func socket() {
        #expect(address("1.2.3.4") == .v4(0x0102_0304))
        #expect(
            address("102:304:506:708:90a:b0c:d0e:f10")
                == .v6(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10)
        )
        var local = sockaddr_un()
        #expect(IPAddress(family: AF_UNIX, &local) == nil)
    }
}
