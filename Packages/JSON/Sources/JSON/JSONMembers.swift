/// The members of an object, for a reader that asks for each key once.
///
/// Those who write payloads write the members of all objects of a kind in one order. Who asks in
/// that order finds each key where the one before ended, without a walk over the others.
///
/// All that each member of a list costs is inlined: a key that is known where this is compiled is
/// compared in a few instructions, and the document is not retained for a value that is read at once.
public struct JSONMembers: Sendable {
    @usableFromInline let document: JSONDocument
    @usableFromInline let objectIndex: Int
    /// Behind the last member that was found in its turn.
    @usableFromInline var next: Int
    @usableFromInline let end: Int

    @inlinable
    init(of object: JSONObject) {
        document = object.value.document
        objectIndex = object.value.index
        next = object.firstIndex
        end = object.endIndex
    }

    /// The value of `key`, which may be null; throws `mismatch` with its path when absent.
    @inlinable @inline(__always)
    public mutating func required(_ key: StaticString) throws(JSONError) -> JSONValue {
        guard let found = index(of: key) else { throw missing(key) }
        return JSONValue(document: document, index: found)
    }

    /// The value of `key`; nil when it is absent or null.
    @inlinable @inline(__always)
    public mutating func optional(_ key: StaticString) -> JSONValue? {
        guard let found = member(key), !found.isNull else { return nil }
        return found
    }

    /// The value of `key`, which may be null; nil when absent.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString) -> JSONValue? {
        guard let found = index(of: key) else { return nil }
        return JSONValue(document: document, index: found)
    }

    @inlinable @inline(__always)
    mutating func index(of key: StaticString) -> Int? {
        // All before `next` was asked for by other keys, so the first of this key is not there.
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

    /// The index of the value of `key` behind the next member.
    @usableFromInline
    func laterIndex(of key: StaticString) -> Int? {
        let utf8 = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        let rest = document.indexAfterValue(at: next + 1)..<end
        return document.index(ofKey: utf8, in: rest).map { $0 + 1 }
    }
}

extension JSONObject {
    /// Its members, for a reader that asks for each key once.
    @inlinable public var members: JSONMembers { JSONMembers(of: self) }
}
