import Contract
import Domain
import JSON

/// What is appended to the snapshot of a list when the server has confirmed it, or has sent what has
/// changed in it.
///
/// A record is empty, or a JSON object with the members `cursor`, `changed`, which is a list as the
/// codec writes it, `deleted`, and `loaded`, in seconds since 1970. Each of them is optional.
struct ListRecord<Codec: PagedCodec> {
    /// The position in the server's feed after the changes; nil if it stays the same.
    var cursor: String?
    /// The elements that are new or different; nil for none.
    var changed: Codec.Model?
    /// The ids of the elements that were deleted.
    var deleted: Set<Codec.ElementID> = []
    /// When the server confirmed the whole list in answer to a request for it; nil if it did not.
    var loadedAt: Timestamp?

    /// Whether the list is the same as before.
    var isEmpty: Bool { changed == nil && deleted.isEmpty }

    /// The list after the changes. The elements `own` are not replaced with earlier versions.
    func applied(
        to list: Codec.Model,
        unlessOlderThan own: Set<Codec.ElementID>
    ) throws(JSONError) -> Codec.Model {
        let none = try Codec.join([])
        return try Codec.apply(
            changed ?? none,
            deleting: deleted,
            unlessOlderThan: own,
            to: list
        )
    }

    var bytes: [UInt8] {
        if isEmpty, cursor == nil, loadedAt == nil { return [] }
        return JSONFragment.object { writer in
            writer.member("cursor", cursor)
            writer.member("changed", changed, as: Codec.self)
            if !deleted.isEmpty { writer.member("deleted", deleted.map(\.description).sorted()) }
            writer.member("loaded", loadedAt.map { Int($0.secondsSince1970) })
        }.bytes
    }
}

extension ListRecord {
    init(_ bytes: [UInt8]) throws(JSONError) {
        if bytes.isEmpty { return }
        let limits = JSONLimits(maximumBytes: bytes.count)
        let object = try JSONDocument(parsing: bytes, limits: limits).root.object()
        cursor = try object.optional("cursor")?.string()
        changed = try object.optional("changed").map(Codec.read)
        if let ids = try object.optional("deleted")?.array() {
            for id in ids { deleted.insert(try Self.id(id)) }
        }
        if let seconds = try object.optional("loaded")?.integer() {
            loadedAt = Timestamp(secondsSince1970: Int64(seconds))
        }
    }

    /// Reads the id of an element. Throws a `mismatch` if no element can have it.
    static func id(_ value: JSONValue) throws(JSONError) -> Codec.ElementID {
        guard let id = Codec.ElementID(try value.string()) else {
            throw value.mismatch(expected: "the id of an element")
        }
        return id
    }
}
