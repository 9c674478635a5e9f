package import Contract
import Domain
import JSON
import Persistence

/// What a cached list contained when it was last read.
package struct ListContent: Sendable {
    fileprivate var position: SnapshotPosition?
    /// The hash of each element with an id, by its id.
    fileprivate var elements: [String: Int] = [:]
    /// The hash of the elements without an id.
    fileprivate var rest = 0

    /// Creates the content of a list that is not cached.
    package init() {}
}

/// How the elements of a list differ from those at an earlier time.
package struct ListChange: Sendable, Hashable {
    /// The ids of the elements that are new or different, as far as they are known.
    package var changed: Set<String>
    /// The ids of the elements that are gone.
    package var deleted: Set<String>
    /// Whether other elements may differ, too.
    package var isAll: Bool

    package init(changed: Set<String> = [], deleted: Set<String> = [], isAll: Bool = false) {
        (self.changed, self.deleted, self.isAll) = (changed, deleted, isAll)
    }

    package var isEmpty: Bool { changed.isEmpty && deleted.isEmpty && !isAll }

    /// Whether the element with this id may differ.
    package func contains(_ id: String) -> Bool {
        isAll || changed.contains(id) || deleted.contains(id)
    }

    /// Adds a change that came after this one.
    package mutating func append(_ later: ListChange) {
        changed = changed.subtracting(later.deleted).union(later.changed)
        deleted = deleted.subtracting(later.changed).union(later.deleted)
        isAll = isAll || later.isAll
    }
}

extension StoredResource {
    /// Brings `content` up to date with the cached list, and returns how that differs. Reads only what
    /// was appended since, unless the list was replaced.
    package func change<Elements>(
        since content: inout ListContent
    ) -> ListChange where Codec == EncodedListCodec<Elements>, Elements.Element.Model: Hashable {
        let old = content
        let tail = try? store.tail(of: name, after: old.position)
        if let tail, !tail.isWhole, old.position != nil {
            content.position = tail.position
            return apply(tail.records, to: &content)
        }
        content = ListContent()
        guard let tail, let elements = try? retrieve()?.value.models() else {
            return ListChange(isAll: old.position != nil)
        }
        content.position = tail.position
        content.insert(elements, as: Elements.self)
        return content.difference(from: old)
    }

    private func apply<Elements>(
        _ records: [[UInt8]],
        to content: inout ListContent
    ) -> ListChange where Codec == EncodedListCodec<Elements>, Elements.Element.Model: Hashable {
        var change = ListChange()
        for bytes in records {
            guard let record = try? ListRecord<Codec>(bytes), !record.isEmpty else { continue }
            var new = ListContent()
            new.insert((try? record.changed?.models()) ?? [], as: Elements.self)
            for id in record.deleted where content.elements.removeValue(forKey: id) != nil {
                change.append(ListChange(deleted: [id]))
            }
            for (id, hash) in new.elements
            where content.elements.updateValue(hash, forKey: id) != hash {
                change.append(ListChange(changed: [id]))
            }
        }
        return change
    }
}

extension ListContent {
    fileprivate mutating func insert<Codec: ListCodec>(
        _ list: [Codec.Element.Model],
        as codec: Codec.Type
    ) where Codec.Element.Model: Hashable {
        var rest = Hasher()
        for element in list {
            if let id = Codec.id(of: element) {
                elements["\(id)"] = element.hashValue
            } else {
                rest.combine(element)
            }
        }
        self.rest = rest.finalize()
    }

    fileprivate func difference(from old: ListContent) -> ListChange {
        if old.position == nil { return ListChange(isAll: true) }
        return ListChange(
            changed: Set(elements.filter { old.elements[$0.key] != $0.value }.keys),
            deleted: Set(old.elements.keys.filter { elements[$0] == nil }),
            isAll: rest != old.rest
        )
    }
}
