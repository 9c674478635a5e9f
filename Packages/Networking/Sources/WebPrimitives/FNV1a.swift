/// The 64-bit FNV-1a hash. It detects accidental changes and makes names unique, but it is not secure:
/// collisions are easy to construct.
public enum FNV1a {
    @usableFromInline static let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
    @usableFromInline static let prime: UInt64 = 0x100_0000_01B3

    /// The FNV-1a hash of `bytes`.
    @inlinable
    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(offsetBasis) { ($0 ^ UInt64($1)) &* prime }
    }

    /// A hash for long content, which is several times as fast: it takes eight bytes at a time. It
    /// differs from ``hash(_:)``.
    public static func fastHash(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = offsetBasis ^ UInt64(bytes.count)
            func mix(_ word: UInt64) {
                hash = (hash ^ word) &* prime
                hash ^= hash >> 29
            }
            let end = bytes.count & ~7
            for offset in stride(from: 0, to: end, by: 8) {
                mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            for byte in bytes[end...] { mix(UInt64(byte)) }
            return hash
        }
    }
}
