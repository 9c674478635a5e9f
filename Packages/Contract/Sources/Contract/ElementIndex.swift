import JSON
import Synchronization

/// Where the elements of an encoded list are, and tables that find elements by hashes. Each part is made
/// when it is first needed. The copies of a list share its index.
final class ElementIndex: Sendable {
    struct Content {
        /// The offset of each element, and after them the offset of the byte that follows the array.
        var starts: [Int]
        var tables: [String: ElementTable] = [:]
    }

    private let content: Mutex<Content?>

    init(_ content: Content? = nil) { self.content = Mutex(content) }

    /// The offsets of an element. A comma, or the end of the array, precedes the next start.
    static func range(of number: Int, _ starts: [Int]) -> Range<Int> {
        starts[number]..<(starts[number + 1] - 1)
    }

    /// The size in memory, in bytes.
    var size: Int {
        content.withLock { content in
            guard let content else { return 0 }
            return content.tables.values.reduce(content.starts.count * MemoryLayout<Int>.stride) {
                $0 + $1.size
            }
        }
    }

    /// Where the elements are in `bytes`, in which the array begins at `start`.
    func starts(in bytes: [UInt8], from start: Int) -> [Int] {
        content.withLock { Self.content(&$0, bytes, start).starts }
    }

    /// The table of elements by `hash`.
    func table(
        of hash: ElementHash,
        in bytes: [UInt8],
        from start: Int
    ) -> ElementTable {
        content.withLock { content in
            var known = Self.content(&content, bytes, start)
            if let table = known.tables[hash.name] { return table }
            let table = ElementTable(hash, bytes, known.starts)
            known.tables[hash.name] = table
            content = known
            return table
        }
    }

    /// The parts of the index that have been built so far; nil if there are none.
    var made: Content? { content.withLock(\.self) }

    private static func content(
        _ content: inout Content?,
        _ bytes: [UInt8],
        _ start: Int
    ) -> Content {
        if let content { return content }
        let ranges = bytes.withUnsafeBytes { bytes in
            JSONScanner.elementRanges(
                ofArrayIn: UnsafeRawBufferPointer(rebasing: bytes[start..<(bytes.count - 1)])
            )
        }
        let starts = ranges.map { $0.lowerBound + start }
        let new = Content(starts: starts + [bytes.count - 1])
        content = new
        return new
    }
}

/// A hash by which the elements of an encoded list are found.
public struct ElementHash: Sendable {
    let name: String
    let hash: @Sendable (ArraySlice<UInt8>) -> UInt32?

    /// Creates a hash.
    ///
    /// - Parameters:
    ///   - name: Identifies the hash.
    ///   - hash: Returns the hash of an encoded element; nil for an element that is not found by it.
    public init(_ name: String, of hash: @escaping @Sendable (ArraySlice<UInt8>) -> UInt32?) {
        (self.name, self.hash) = (name, hash)
    }

    /// The hash of `bytes`. It differs between runs of the program.
    public static func hash(of bytes: ArraySlice<UInt8>) -> UInt32 {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}

extension ElementHash {
    /// The hash of the id that `codec` finds in an element.
    static func id<Codec: ListCodec>(of codec: Codec.Type) -> ElementHash {
        ElementHash("id") { Codec.encodedID(in: $0).map { hash(of: $0) } }
    }
}
