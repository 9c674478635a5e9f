import NovaBlendXXHash

/// XXH3 over stretches of bytes, as the files of this package carry it.
enum Checksum {
    static func xxh3(
        _ first: ArraySlice<UInt8>,
        _ second: ArraySlice<UInt8> = [],
        _ third: ArraySlice<UInt8> = []
    ) -> UInt64 {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                third.withUnsafeBytes { third in
                    nb_xxh3_64(
                        first.baseAddress,
                        first.count,
                        second.baseAddress,
                        second.count,
                        third.baseAddress,
                        third.count
                    )
                }
            }
        }
    }
}

extension Array where Element == UInt8 {
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

extension Collection where Element == UInt8, Index == Int {
    /// The integer at `offset`; the caller knows that it is within.
    func littleEndian<T: FixedWidthInteger & UnsignedInteger>(at offset: Int, as: T.Type) -> T {
        var value: T = 0
        for byte in (0..<MemoryLayout<T>.size).reversed() {
            value = value << 8 | T(self[startIndex + offset + byte])
        }
        return value
    }
}
