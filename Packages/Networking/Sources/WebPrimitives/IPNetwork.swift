/// A range of IP addresses, such as `10.0.0.0/8`, `2001:db8::/32`, or a single address (RFC 4632,
/// section 3.1).
public struct IPNetwork: Sendable, Hashable {
    private let address: IPAddress
    private let prefix: Int

    /// Creates the range of the addresses whose first `prefix` bits, 0 to 128, are those of
    /// `address`. The prefix of an IPv4 address includes the 96 bits with which it is mapped to
    /// IPv6.
    init(_ address: IPAddress, prefix: Int) {
        self.address = address
        self.prefix = prefix
    }

    /// Parses the text; nil if it is not a network.
    public init?(_ text: String) {
        let parts = Self.split(text, at: "/")
        guard parts.count <= 2, let address = IPAddress(parts[0]) else { return nil }
        let bits = parts[0].utf8.contains(UInt8(ascii: ":")) ? 128 : 32
        var length = bits
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(parts[1]), number <= bits
            else { return nil }
            length = number
        }
        self.init(address, prefix: 128 - bits + length)
    }

    /// Parses networks that are separated by commas; nil if one of them is invalid.
    public static func list(_ text: String) -> [IPNetwork]? {
        let parts = split(text, at: ",")
        let networks = parts.compactMap { IPNetwork($0) }
        return networks.count == parts.count ? networks : nil
    }

    private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
        text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the address is in the range.
    public func contains(_ other: IPAddress) -> Bool {
        (address.bits ^ other.bits) >> (128 - prefix) == 0
    }
}
