import Glibc

/// A list's text as its codec writes it, made from a text chunk by chunk.
///
/// Most servers write as we do: then nothing is copied, and the text that came is the one that is
/// kept. From the first difference on it is written anew.
struct CanonicalText {
    private let source: [UInt8]
    private var rewritten: [UInt8]?
    /// How much of the source is as it should be, or behind it where it is rewritten.
    private var end: Int
    private var isEmpty = true

    /// Begins with `head`, which the source may have in another form.
    init(source: [UInt8], head: [UInt8], isHeadCanonical: Bool) {
        self.source = source
        end = head.count
        if !isHeadCanonical { rewrite(head[...]) }
    }

    /// Takes the text of some elements, which the source has at `range`, behind a comma where it is
    /// not the first.
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

    /// The whole text, with `tail` at its end.
    mutating func finish(with tail: [UInt8]) -> [UInt8] {
        if rewritten == nil, source[end...].elementsEqual(tail) { return source }
        if rewritten == nil { rewrite(source[..<end]) }
        rewritten?.append(contentsOf: tail)
        return rewritten ?? source
    }

    private mutating func rewrite(_ beginning: ArraySlice<UInt8>) {
        var text: [UInt8] = []
        text.reserveCapacity(source.count)
        text += beginning
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
