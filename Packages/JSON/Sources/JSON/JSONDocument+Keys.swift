extension JSONDocument {
    /// Whether the string at `index` equals `key`. For a literal key, the compiler reduces this to
    /// two or three comparisons.
    @inlinable @inline(__always)
    func isString(at index: Int, equalTo key: StaticString) -> Bool {
        withExtendedLifetime(self) {
            let found = utf8(at: index)
            guard found.count == key.utf8CodeUnitCount, let start = found.baseAddress
            else { return false }
            return Self.areEqual(
                UnsafeRawPointer(start),
                UnsafeRawPointer(key.utf8Start),
                found.count
            )
        }
    }

    /// Whether `count` bytes are equal. The last word that is compared may overlap the one before.
    @inlinable @inline(__always)
    static func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
        @inline(__always)
        func areEqual<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _: Word.Type)
            -> Bool
        {
            one.loadUnaligned(fromByteOffset: offset, as: Word.self)
                == other.loadUnaligned(fromByteOffset: offset, as: Word.self)
        }
        if count >= 8 {
            var offset = 0
            while offset < count - 8 {
                guard areEqual(at: offset, UInt64.self) else { return false }
                offset += 8
            }
            return areEqual(at: count - 8, UInt64.self)
        }
        if count >= 4 {
            return areEqual(at: 0, UInt32.self) && areEqual(at: count - 4, UInt32.self)
        }
        if count >= 2 {
            return areEqual(at: 0, UInt16.self) && areEqual(at: count - 2, UInt16.self)
        }
        return count == 0 || areEqual(at: 0, UInt8.self)
    }
}
