/// Bytes that belong at an offset in an encoded text and are stored separately, to avoid copying
/// them.
struct JSONSplice: Sendable {
    /// The offset in the text without splices.
    var offset: Int
    var bytes: ArraySlice<UInt8>

    /// The smallest number of bytes to store separately. Fewer bytes are copied, because that costs
    /// less than writing an additional chunk.
    static let minimumBytes = 16 << 10
}
