/// The members of an object, for a reader that asks for each key once.
///
/// Those who write payloads write the members of all objects of a kind in one order. Who asks in
/// that order finds each key where the one before ended, without a walk over the others.
public struct JSONMembers: Sendable {
    private let object: JSONObject
    /// Behind the last member that was found in its turn.
    private var next: Int

    init(of object: JSONObject) {
        self.object = object
        next = object.firstIndex
    }

    /// The value of `key`, which may be null; throws `mismatch` with its path when absent.
    public mutating func required(_ key: StaticString) throws(JSONError) -> JSONValue {
        guard let found = member(key) else { throw object.missing(key) }
        return found
    }

    /// The value of `key`; nil when it is absent or null.
    public mutating func optional(_ key: StaticString) -> JSONValue? {
        guard let found = member(key), !found.isNull else { return nil }
        return found
    }

    /// The value of `key`, which may be null; nil when absent.
    public mutating func member(_ key: StaticString) -> JSONValue? {
        let utf8 = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        // All before `next` was asked for by other keys, so the first of this key is not there.
        let rest = next..<object.endIndex
        guard let index = object.value.document.index(ofKey: utf8, in: rest) else { return nil }
        if index == next { next = object.value.document.indexAfterValue(at: index + 1) }
        return JSONValue(document: object.value.document, index: index + 1)
    }
}

extension JSONObject {
    /// Its members, for a reader that asks for each key once.
    public var members: JSONMembers { JSONMembers(of: self) }
}
