import Synchronization

/// A word of the tape of simdjson: a type in the top byte and a payload in the other bytes.
@usableFromInline
struct TapeWord {
    @usableFromInline let bits: UInt64

    @inlinable init(bits: UInt64) { self.bits = bits }

    @inlinable var type: UInt8 { UInt8(truncatingIfNeeded: bits >> 56) }
    @inlinable var payload: Int { Int(bits & 0x00FF_FFFF_FFFF_FFFF) }
    /// The index after the container that begins here.
    @inlinable var containerEnd: Int { Int(bits & 0xFFFF_FFFF) }
    /// The number of elements or members of the container, at most ``saturatedCount``.
    @inlinable var containerCount: Int { Int(bits >> 32 & 0xFF_FFFF) }

    static let saturatedCount = 0xFF_FFFF
}

extension JSONDocument {
    /// The word at `index`. Extends the lifetime of the document until the word has been read.
    @inlinable @inline(__always)
    func bits(at index: Int) -> UInt64 { withExtendedLifetime(self) { tape[index] } }

    @inlinable @inline(__always)
    func word(at index: Int) -> TapeWord { TapeWord(bits: bits(at: index)) }

    /// The index after the value at `index`.
    @inlinable @inline(__always)
    func indexAfterValue(at index: Int) -> Int {
        let word = word(at: index)
        switch word.type {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return word.containerEnd
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): return index + 2
        default: return index + 1
        }
    }

    /// The UTF-8 bytes of the string at `index`. They are valid as long as the document.
    @inlinable @inline(__always)
    func utf8(at index: Int) -> UnsafeBufferPointer<UInt8> {
        let start = strings + word(at: index).payload
        let length = withExtendedLifetime(self) {
            UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
        }
        return UnsafeBufferPointer(start: start + 4, count: Int(UInt32(littleEndian: length)))
    }

    /// The string at `index`.
    @usableFromInline
    func string(at index: Int) -> String {
        withExtendedLifetime(self) { Self.string(utf8(at: index)) }
    }

    private static func string(_ utf8: UnsafeBufferPointer<UInt8>) -> String {
        // Short strings are stored inline in String. Its initializer validates them quickly.
        if utf8.count <= 15 {
            return String(unsafeUninitializedCapacity: utf8.count) {
                $0.initialize(fromContentsOf: utf8)
            }
        }
        // The parser has validated the UTF-8, so skip the validation here.
        var text = UTF8Span(unchecked: Span(_unsafeElements: utf8))
        _ = text.checkForASCII()
        return String(copying: text)
    }

    /// The index of the first member with `key` among the members in `range`, or nil.
    func index(ofKey key: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        while index < range.upperBound {
            if isString(at: index, equalTo: key) { return index }
            index = indexAfterValue(at: index + 1)
        }
        return nil
    }

    private func isString(at index: Int, equalTo wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        withExtendedLifetime(self) {
            let found = utf8(at: index)
            guard found.count == wanted.count else { return false }
            guard let left = found.baseAddress, let right = wanted.baseAddress else { return true }
            return Self.areEqual(UnsafeRawPointer(left), UnsafeRawPointer(right), found.count)
        }
    }

    /// Computes the path of the value at `target` by descending from the root.
    func steps(to target: Int) -> [PathStep] {
        pathComputations.wrappingAdd(1, ordering: .relaxed)
        var steps: [PathStep] = []
        var index = 1
        while index != target {
            let word = word(at: index)
            let isObject = word.type == UInt8(ascii: "{")
            guard isObject || word.type == UInt8(ascii: "[") else { return steps }
            var child = index + 1
            var position = 0
            while child < word.containerEnd - 1 {
                let value = isObject ? child + 1 : child
                let next = indexAfterValue(at: value)
                if target < next {
                    steps.append(isObject ? .key(string(at: child)) : .index(position))
                    index = value
                    break
                }
                child = next
                position += 1
            }
            if child >= word.containerEnd - 1 { return steps }
        }
        return steps
    }
}
