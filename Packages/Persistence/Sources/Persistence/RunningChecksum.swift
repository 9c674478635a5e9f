import Glibc
import NovaBlendXXHash

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

    /// That of all that was added.
    var value: UInt64 { nb_xxh3_value(state) }
}
