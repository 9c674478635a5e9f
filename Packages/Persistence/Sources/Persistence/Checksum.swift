import Glibc
import NovaBlendXXHash

/// The checksum of this package's files: 64-bit XXH3.
enum Checksum {
    /// The checksum of the concatenated slices.
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

/// The checksum of data that is added in chunks.
struct RunningChecksum: ~Copyable {
    private let state: UnsafeMutableRawPointer

    init() throws(StoreError.Reason) {
        guard let state = nb_xxh3_begin() else { throw .system(call: "malloc", errno: ENOMEM) }
        self.state = state
    }

    deinit { nb_xxh3_free(state) }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { nb_xxh3_add(state, $0.baseAddress, $0.count) }
    }

    /// The checksum of the data added so far.
    var value: UInt64 { nb_xxh3_value(state) }
}

extension Array where Element == UInt8 {
    mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

extension Collection where Element == UInt8, Index == Int {
    /// The integer at `offset`. The caller must ensure that the collection is long enough.
    func littleEndian<T: FixedWidthInteger & UnsignedInteger>(at offset: Int, as: T.Type) -> T {
        var value: T = 0
        for byte in (0..<MemoryLayout<T>.size).reversed() {
            value = value << 8 | T(self[startIndex + offset + byte])
        }
        return value
    }
}
