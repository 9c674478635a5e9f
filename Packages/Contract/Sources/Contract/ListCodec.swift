public import Domain
public import JSON

/// A codec for a payload that is an object with one list of models, such as `{"salons": [...]}`.
public protocol ListCodec: PagedCodec where Model == [Element.Model] {
    /// The codec of one element.
    associatedtype Element: ModelCodec
    /// What identifies an element.
    associatedtype ElementID
    /// The key of the list.
    static var key: StaticString { get }

    /// The id of an element; nil if it has none.
    static func id(of element: Element.Model) -> ElementID?

    /// Reads only the id of an element that is valid.
    static func id(in element: JSONValue) throws(JSONError) -> ElementID?

    /// Reads only the id of an element that this codec has written, as text in UTF-8.
    static func encodedID(in element: ArraySlice<UInt8>) -> ArraySlice<UInt8>?

    /// Reads only the id of an element that this codec has written.
    static func id(inEncoded element: ArraySlice<UInt8>) -> ElementID?

    /// A number that increases with each change of the element; nil if it has none.
    static func version(of element: Element.Model) -> Int?
}

extension ListCodec {
    /// The key as text. Salons and appointments have it as the name of their resource, too.
    public static var name: String { key.description }

    /// The list without elements.
    public static var empty: Model { [] }

    /// The number of elements of the list.
    public static func count(of list: Model) -> Int { list.count }

    /// Returns nil, because elements have no version by default.
    public static func version(of element: Element.Model) -> Int? { nil }

    /// Whether `element` is not an earlier version of `old`, which has the same id.
    static func isCurrent(_ element: Element.Model, replacing old: Element.Model) -> Bool {
        guard let version = Self.version(of: element), let known = Self.version(of: old) else {
            return true
        }
        return version >= known
    }
}

extension ListCodec {
    /// Reads the element, and returns its id.
    @inlinable
    public static func id(in element: JSONValue) throws(JSONError) -> ElementID? {
        id(of: try Element.read(element))
    }

    /// Parses the element, and returns its id.
    public static func encodedID(in element: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let document = try? JSONDocument(parsing: Array(element)),
            let id = try? id(in: document.root)
        else { return nil }
        return Array("\(id)".utf8)[...]
    }

    /// Reads the id from its text.
    public static func id(inEncoded element: ArraySlice<UInt8>) -> ElementID? {
        encodedID(in: element).flatMap { ElementID(String(decoding: $0, as: UTF8.self)) }
    }
}

extension ListCodec where Element.Model: Identifiable {
    /// The id of an element.
    @inlinable
    public static func id(of element: Element.Model) -> Element.Model.ID? { element.id }
}

extension ListCodec {
    /// An object with the list.
    public static var schema: JSONSchema {
        .object(ObjectSchema([.init("\(key)", .array(of: Element.schema))]))
    }

    /// Reads the list. One invalid element makes the whole payload invalid.
    ///
    /// Inlinable, so that the compiler specializes it for each codec. An unspecialized version
    /// copies every model through its type metadata.
    @inlinable
    public static func read(_ value: JSONValue) throws(JSONError) -> [Element.Model] {
        let array = try value.object().required(key).array()
        var models: [Element.Model] = []
        models.reserveCapacity(array.count)
        try append(array, to: &models)
        return models
    }

    /// Reads a list, in chunks if it is large and can be split.
    @inlinable
    public static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits
    ) throws(JSONError) -> [Element.Model] {
        let models = decode(bytes, limits: limits, chunkLength: ListChunks.defaultLength)
        if let models { return models }
        return try read(JSONDocument(received: bytes, limits: limits).root)
    }

    /// Reads a list in chunks. Returns nil if the text cannot be split into chunks or is invalid;
    /// then the caller reads it as a whole, which finds the exact error.
    @inlinable
    static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits,
        chunkLength: Int
    ) -> [Element.Model]? {
        guard var chunks = ListChunks(of: bytes, key, limits: limits, length: chunkLength)
        else { return nil }
        var models: [Element.Model] = []
        do {
            while let (array, range) = try chunks.next() {
                if models.isEmpty {
                    models.reserveCapacity(chunks.estimatedCount(from: array.count, in: range))
                }
                try append(array, to: &models)
            }
        } catch {
            return nil
        }
        return models
    }

    @inlinable @inline(__always)
    static func append(
        _ array: JSONArray,
        to models: inout [Element.Model]
    ) throws(JSONError) {
        try array.forEachElement { element throws(JSONError) in
            models.append(try Element.read(element))
        }
    }

    /// Joins the pages of a list; see ``PagedCodec/join(_:)``.
    @inlinable
    public static func join(_ pages: [[Element.Model]]) throws(JSONError) -> [Element.Model] {
        let count = pages.reduce(0) { $0 + $1.count }
        var overlap = PageOverlap<ElementID>(count: count)
        for page in pages { for element in page { overlap.add(id(of: element)) } }
        if overlap.isEmpty, pages.count == 1 { return pages[0] }
        var list: [Element.Model] = []
        list.reserveCapacity(count)
        var number = 0
        for page in pages {
            for element in page {
                if !overlap.isSuperseded(id(of: element), number: number) { list.append(element) }
                number += 1
            }
        }
        return list
    }

    /// Applies changes to a list; see ``PagedCodec/apply(_:deleting:unlessOlderThan:to:)``.
    public static func apply(
        _ changed: [Element.Model],
        deleting deleted: Set<ElementID>,
        unlessOlderThan own: Set<ElementID>,
        to list: [Element.Model]
    ) throws(JSONError) -> [Element.Model] {
        var changes = ChangedElements(changed, id: id)
        let changedIDs = Set(changes.ids)
        var result: [Element.Model] = []
        result.reserveCapacity(list.count + changed.count)
        for element in list {
            guard let id = id(of: element) else {
                result.append(element)
                continue
            }
            if deleted.contains(id) { continue }
            guard let new = changes.take(id) else {
                // A second element with the id is outdated, too.
                if !changedIDs.contains(id) { result.append(element) }
                continue
            }
            let isOlder = own.contains(id) && !isCurrent(new, replacing: element)
            result.append(isOlder ? element : new)
        }
        return result + changes.rest
    }

    /// About how much memory the models take up: each has a few texts outside its own memory.
    public static func memorySize(of models: [Element.Model]) -> Int {
        models.count * (MemoryLayout<Element.Model>.stride + 256)
    }

    /// Writes the list in its object.
    public static func write(_ models: [Element.Model], to writer: inout JSONWriter) {
        writer.object { $0.member(key, models, listAs: Element.self) }
    }
}

/// The payload of the salon list.
public enum SalonListCodec: ListCodec {
    /// The codec of one element.
    public typealias Element = SalonCodec
    /// The key of the list.
    public static var key: StaticString { "salons" }

    /// The id of a salon.
    public static func id(of salon: Salon) -> SalonID? { salon.id }

    /// The version of a salon.
    public static func version(of salon: Salon) -> Int? { salon.version }

    /// Reads only the id of a salon.
    public static func id(in salon: JSONValue) throws(JSONError) -> SalonID? {
        try SalonCodec.id(in: salon)
    }

    /// Returns the first value, which is the id: see ``SalonCodec/write(_:to:)``.
    public static func encodedID(in salon: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        salon.dropFirst("{'id':'".utf8.count).prefix(Identifier.textLength)
    }

    /// Reads the id from the first value.
    public static func id(inEncoded salon: ArraySlice<UInt8>) -> SalonID? {
        encodedID(in: salon)?.withUnsafeBufferPointer { SalonID(utf8: $0) }
    }
}

/// The payload of the appointment list.
public enum AppointmentListCodec: ListCodec {
    /// The codec of one element.
    public typealias Element = AppointmentCodec
    /// The key of the list.
    public static var key: StaticString { "appointments" }

    /// The server's identifier; nil if it assigns none.
    public static func id(of appointment: Appointment) -> ElementKey? {
        appointment.id.map { ElementKey($0) }
    }

    /// The version of an appointment.
    public static func version(of appointment: Appointment) -> Int? { appointment.version }
}
