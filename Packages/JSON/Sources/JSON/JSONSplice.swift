/// Bytes that belong at a place of a text, and are not copied there.
struct JSONSplice: Sendable {
    /// The place in the text without any such bytes.
    var offset: Int
    var bytes: ArraySlice<UInt8>

    /// Below this a copy costs less than a chunk more to write.
    static let leastBytes = 16 << 10
}
