/// The document that is decoded, and where each of the enclosing objects was read last.
final class DecodingContext {
    let document: JSONDocument
    /// The last lookup in an object at each depth. Objects usually have the same order as the
    /// properties, so a lookup begins after the member of the previous one. Unchecked, because only
    /// `index(ofKey:inObjectAt:depth:)` uses it, which calls no other code of this class.
    @exclusivity(unchecked) private var lookups: [Lookup] = []

    private struct Lookup {
        // No object begins at 0, where the tape itself begins.
        var object = 0
        var key = 0
    }

    init(_ document: JSONDocument) { self.document = document }

    /// The tape index of the value of `key` in the object at `object`, or nil.
    func index(ofKey key: String, inObjectAt object: Int, depth: Int) -> Int? {
        while lookups.count <= depth { lookups.append(Lookup()) }
        let last = lookups[depth]
        let members = object + 1..<document.word(at: object).containerEnd - 1
        var key = key
        let found = key.withUTF8 { key in
            guard last.object == object else { return document.index(ofKey: key, in: members) }
            let next = document.indexAfterValue(at: last.key + 1)
            return document.index(ofKey: key, in: next..<members.upperBound)
                ?? document.index(ofKey: key, in: last.key..<next)
                ?? document.index(ofKey: key, in: members.lowerBound..<last.key)
        }
        guard let found else { return nil }
        lookups[depth] = Lookup(object: object, key: found)
        return found + 1
    }
}
