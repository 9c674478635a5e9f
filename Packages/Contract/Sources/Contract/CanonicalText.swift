import Glibc

/// Builds the text of a list as its codec would write it, from the received text and the canonical
/// texts of its chunks.
///
/// Most servers write exactly this text. Then nothing is copied, and the result is the received
/// array. From the first difference on, the text is written to a new array.
struct CanonicalText {
    private let source: [UInt8]
    private var rewritten: [UInt8]?
    /// The length of the prefix of `source` that is canonical, as long as nothing is rewritten.
    private var end: Int
    private var isEmpty = true

    /// Begins with `head`, which `source` may have in a different form.
    init(source: [UInt8], head: [UInt8], isHeadCanonical: Bool) {
        self.source = source
        end = head.count
        if !isHeadCanonical { rewrite(head[...]) }
    }

    /// Appends the canonical text of some elements, which `source` has at `range`, after a comma
    /// unless they are the first.
    mutating func append(_ chunk: ArraySlice<UInt8>, of range: Range<Int>) {
        if rewritten == nil, !isSame(chunk, range) { rewrite(source[..<end]) }
        if rewritten != nil {
            if !isEmpty { rewritten?.append(UInt8(ascii: ",")) }
            rewritten?.append(contentsOf: chunk)
        } else {
            end = range.upperBound
        }
        isEmpty = false
    }

    /// Appends `tail` and returns the text.
    mutating func finish(with tail: [UInt8]) -> [UInt8] {
        if rewritten == nil, source[end...].elementsEqual(tail) { return source }
        if rewritten == nil { rewrite(source[..<end]) }
        rewritten?.append(contentsOf: tail)
        return rewritten ?? source
    }

    private mutating func rewrite(_ prefix: ArraySlice<UInt8>) {
        var text: [UInt8] = []
        text.reserveCapacity(source.count)
        text += prefix
        rewritten = text
    }

    private func isSame(_ chunk: ArraySlice<UInt8>, _ range: Range<Int>) -> Bool {
        guard chunk.count == range.count else { return false }
        return chunk.withUnsafeBytes { chunk in
            source[range].withUnsafeBytes { source in
                guard let chunk = chunk.baseAddress, let source = source.baseAddress else {
                    return true
                }
                return memcmp(chunk, source, range.count) == 0
            }
        }
    }
}
