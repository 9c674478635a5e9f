import Glibc
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

/// The checksum of bytes that are added chunk by chunk.
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

    /// The checksum of everything that was added.
    var value: UInt64 { nb_xxh3_value(state) }
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
