public import JSON

/// A list as the bytes of its payload, which are validated once and passed on unchanged.
public struct EncodedList<Codec: ListCodec>: Sendable, Equatable {
    /// The complete payload, as `Codec` writes it.
    public let bytes: [UInt8]
    /// The number of elements.
    public let count: Int
    let index: ElementIndex

    init(bytes: [UInt8], count: Int, index: ElementIndex = ElementIndex()) {
        (self.bytes, self.count, self.index) = (bytes, count, index)
    }

    /// Encodes `models`.
    public init(_ models: [Codec.Element.Model]) {
        self.init(bytes: Codec.encode(models), count: models.count)
    }

    /// Whether the bytes are equal.
    public static func == (one: EncodedList, other: EncodedList) -> Bool {
        one.bytes == other.bytes
    }

    /// The JSON array of the elements, which is the payload without the braces and the key.
    public var array: ArraySlice<UInt8> {
        bytes[arrayStart..<(bytes.count - 1)]
    }

    var arrayStart: Int { Codec.key.utf8CodeUnitCount + "{'':".utf8.count }

    /// Decodes all elements.
    public func models() throws(JSONError) -> [Codec.Element.Model] {
        try Codec.decode(bytes, limits: limits)
    }

    /// The memory that the list and its index take up, in bytes.
    public var memorySize: Int { bytes.count + index.size }

    /// The numbers of the elements.
    public var numbers: Range<Int> { 0..<(starts.count - 1) }

    /// The numbers of the elements for which `isIncluded` returns true.
    public func numbers(where isIncluded: (UnsafeBufferPointer<UInt8>) -> Bool) -> [Int] {
        let starts = starts
        return bytes.withUnsafeBufferPointer { bytes in
            (0..<(starts.count - 1)).filter { number in
                let element = bytes[ElementIndex.range(of: number, starts)]
                return isIncluded(UnsafeBufferPointer(rebasing: element))
            }
        }
    }

    /// The encoded element with this number, which counts from 0.
    public subscript(number: Int) -> ArraySlice<UInt8> {
        bytes[ElementIndex.range(of: number, starts)]
    }

    /// The element with this number as JSON, without parsing the other elements.
    public func element(_ number: Int) throws(JSONError) -> JSONValue {
        try JSONDocument(parsing: Array(self[number]), limits: limits).root
    }

    /// The id of an element, as text; nil if it has none.
    public func id(of number: Int) -> String? {
        Codec.encodedID(in: self[number]).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The id of an element; nil if it has none.
    func elementID(of number: Int) -> Codec.ElementID? { Codec.id(inEncoded: self[number]) }

    /// Passes the id of each element to `body`, in order.
    func forEachID(_ body: (Codec.ElementID?) -> Void) {
        let starts = starts
        for number in 0..<(starts.count - 1) {
            body(Codec.id(inEncoded: bytes[ElementIndex.range(of: number, starts)]))
        }
    }

    /// The numbers of the elements that have this id as text, in order.
    public func numbers(ofID id: String) -> [Int] {
        let id = Array(id.utf8)[...]
        return numbers(ElementHash.hash(of: id), by: .id(of: Codec.self)).filter {
            Codec.encodedID(in: self[$0]) == id
        }
    }

    /// The numbers of the elements for which `table` returns `hash`, in order.
    public func numbers(_ hash: UInt32, by table: ElementHash) -> [Int] {
        index.table(of: table, in: bytes, from: arrayStart).numbers(hash)
    }

    /// The offset of each element, and after them the offset of the byte that follows the array.
    var starts: [Int] { index.starts(in: bytes, from: arrayStart) }

    /// No limit of the size, because it was checked when the bytes were first decoded.
    private var limits: JSONLimits {
        JSONLimits(maximumBytes: max(bytes.count, JSONLimits().maximumBytes))
    }
}
