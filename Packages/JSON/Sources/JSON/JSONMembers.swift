/// The members of an object, for fast lookup of several keys.
///
/// Each key may be looked up only once. Servers usually write the members of similar objects in the
/// same order. A lookup in that order only has to compare the next key; any other lookup searches
/// the rest of the object.
///
/// The lookup is inlined: comparing a literal key takes a few instructions, and the document is not
/// retained for a value that is read immediately.
public struct JSONMembers: Sendable {
    @usableFromInline let document: JSONDocument
    @usableFromInline let objectIndex: Int
    /// The index of the member after the last one that was found in order.
    @usableFromInline var next: Int
    @usableFromInline let end: Int

    @inlinable
    init(of object: JSONObject) {
        document = object.value.document
        objectIndex = object.value.index
        next = object.firstIndex
        end = object.endIndex
    }

    /// The value of `key`, which may be null. Throws `mismatch` if it is absent.
    @inlinable @inline(__always)
    public mutating func required(_ key: StaticString) throws(JSONError) -> JSONValue {
        guard let found = index(of: key) else { throw missing(key) }
        return JSONValue(document: document, index: found)
    }

    /// The value of `key`; nil if it is absent or null.
    @inlinable @inline(__always)
    public mutating func optional(_ key: StaticString) -> JSONValue? {
        guard let found = member(key), !found.isNull else { return nil }
        return found
    }

    /// The value of `key`, which may be null; nil if it is absent.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString) -> JSONValue? {
        guard let found = index(of: key) else { return nil }
        return JSONValue(document: document, index: found)
    }

    @inlinable @inline(__always)
    mutating func index(of key: StaticString) -> Int? {
        // The members before `next` were found for other keys, so `key` is not among them.
        guard next < end else { return nil }
        guard document.isString(at: next, equalTo: key) else { return laterIndex(of: key) }
        let found = next + 1
        next = document.indexAfterValue(at: found)
        return found
    }

    @usableFromInline
    func missing(_ key: StaticString) -> JSONError {
        JSONObject(value: JSONValue(document: document, index: objectIndex)).missing(key)
    }

    /// Searches the members after `next`; returns the index of the value of `key`.
    @usableFromInline
    func laterIndex(of key: StaticString) -> Int? {
        let utf8 = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        let rest = document.indexAfterValue(at: next + 1)..<end
        return document.index(ofKey: utf8, in: rest).map { $0 + 1 }
    }
}

extension JSONObject {
    /// The members, for fast lookup of several keys, each of them once.
    @inlinable public var members: JSONMembers { JSONMembers(of: self) }
}
