/// A range of IP addresses, such as `10.0.0.0/8`, `2001:db8::/32`, or a single address (RFC 4632,
/// section 3.1).
public struct IPNetwork: Sendable, Hashable {
    private let address: IPAddress
    private let prefix: Int

    /// Parses the text; nil if it is not a network.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let bits = address.isIPv4 && !parts[0].contains(":") ? 32 : 128
        var length = bits
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(parts[1]), number <= bits
            else { return nil }
            length = number
        }
        self.address = address
        prefix = 128 - bits + length
    }

    /// Parses networks that are separated by commas; nil if one of them is invalid.
    public static func list(_ text: String) -> [IPNetwork]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let networks = parts.compactMap { IPNetwork(String($0)) }
        return networks.count == parts.count ? networks : nil
    }

    func contains(_ other: IPAddress) -> Bool { address.shares(prefix: prefix, with: other) }
}
