public import JSON

/// Validates a list and stores it as the bytes that `Codec` would write. It rejects what `Codec`
/// rejects, with the same errors.
public enum EncodedListCodec<Codec: ListCodec>: PagedCodec {
    /// What identifies an element.
    public typealias ElementID = Codec.ElementID

    /// The schema of the list.
    public static var schema: JSONSchema { Codec.schema }

    /// Validates the list and writes it. One invalid element makes the whole payload invalid.
    public static func read(_ value: JSONValue) throws(JSONError) -> EncodedList<Codec> {
        let array = try value.object().required(Codec.key).array()
        var writer = JSONWriter()
        try writer.object { writer throws(JSONError) in
            writer.key(Codec.key)
            try writer.array { writer throws(JSONError) in try copy(array, to: &writer) }
        }
        return EncodedList(bytes: JSONFragment(writer).bytes, count: array.count)
    }

    /// Reads a list, in chunks if it is large and can be split.
    public static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits
    ) throws(JSONError) -> EncodedList<Codec> {
        let list = decode(bytes, limits: limits, chunkLength: ListChunks.defaultLength)
        if let list { return list }
        return try read(JSONDocument(received: bytes, limits: limits).root)
    }

    static func copy(_ array: JSONArray, to writer: inout JSONWriter) throws(JSONError) {
        try array.forEachElement { element throws(JSONError) in
            try Codec.Element.copy(element, to: &writer)
        }
    }

    /// Writes the list. The elements are copied unchanged.
    public static func write(_ list: EncodedList<Codec>, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key(Codec.key)
            writer.splice(list.array)
        }
    }

    /// Joins the pages of a list; see ``PagedCodec/join(_:)``. The elements are copied unchanged. If
    /// an id occurs twice, all are decoded and encoded again instead.
    public static func join(_ pages: [EncodedList<Codec>]) throws(JSONError) -> EncodedList<Codec> {
        let count = pages.reduce(0) { $0 + $1.count }
        var overlap = PageOverlap<ElementID>(count: count)
        for page in pages { page.forEachID { overlap.add($0) } }
        guard overlap.isEmpty else {
            var models: [Codec.Model] = []
            for page in pages { models.append(try page.models()) }
            return EncodedList(try Codec.join(models))
        }
        if pages.count == 1 { return pages[0] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pages.reduce(0) { $0 + $1.bytes.count })
        bytes += "{\"\(Codec.key)\":[".utf8
        for page in pages where page.count > 0 {
            if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
            bytes += page.array.dropFirst().dropLast()
        }
        bytes += "]}".utf8
        return EncodedList(bytes: bytes, count: count)
    }

    /// Applies changes to a list; see ``PagedCodec/apply(_:deleting:unlessOlderThan:to:)``. The other
    /// elements are copied unchanged.
    public static func apply(
        _ changed: EncodedList<Codec>,
        deleting deleted: Set<ElementID>,
        unlessOlderThan own: Set<ElementID>,
        to list: EncodedList<Codec>
    ) throws(JSONError) -> EncodedList<Codec> {
        var changes = ChangedElements(Array(0..<changed.count)) { changed.elementID(of: $0) }
        var edits: [Int: ArraySlice<UInt8>?] = [:]
        for id in deleted {
            for number in list.numbers(ofID: id.description) { edits[number] = .some(nil) }
        }
        for id in changes.ids where !deleted.contains(id) {
            let numbers = list.numbers(ofID: id.description)
            guard let number = numbers.first, let new = changes.take(id) else { continue }
            var isCurrent = true
            if own.contains(id) {
                isCurrent = try Self.isCurrent(
                    changed.element(new),
                    replacing: list.element(number)
                )
            }
            if isCurrent { edits[number] = changed[new] }
            // A second element with the id is outdated, too.
            for number in numbers.dropFirst() { edits[number] = .some(nil) }
        }
        return list.applying(edits, adding: changes.rest.map { changed[$0] })
    }

    private static func isCurrent(
        _ element: JSONValue,
        replacing old: JSONValue
    ) throws(JSONError) -> Bool {
        Codec.isCurrent(try Codec.Element.read(element), replacing: try Codec.Element.read(old))
    }

    /// The list without elements.
    public static var empty: EncodedList<Codec> { EncodedList([]) }

    /// The number of elements of the list.
    public static func count(of list: EncodedList<Codec>) -> Int { list.count }

    /// The size of the list and its index.
    public static func memorySize(of list: EncodedList<Codec>) -> Int { list.memorySize }

    /// The bytes of the list, unchanged.
    public static func encode(_ list: EncodedList<Codec>) -> [UInt8] { list.bytes }

    /// Increase this when a codec changes what it writes. Stored bytes are then decoded again.
    private static var version: String { "2" }

    /// The version of this codec, the key of the list in its JSON object, and the number of elements.
    public static func validationStamp(of list: EncodedList<Codec>) -> String? {
        "\(version):\(Codec.key):\(list.count)"
    }

    /// The list with the stored `bytes`, without decoding them: they were validated before they
    /// were stored, and the store detects any change. Nil if the stamp has a different version or
    /// key, or is not a stamp.
    public static func restore(_ bytes: [UInt8], validationStamp: String) -> EncodedList<Codec>? {
        let prefix = "\(version):\(Codec.key):"
        guard validationStamp.hasPrefix(prefix),
            let count = Int(validationStamp.dropFirst(prefix.count)), count >= 0,
            bytes.count >= Codec.key.utf8CodeUnitCount + "{'':[]}".utf8.count
        else { return nil }
        return EncodedList(bytes: bytes, count: count)
    }
}
