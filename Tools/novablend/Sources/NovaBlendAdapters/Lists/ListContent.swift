package import Contract
package import Domain
import JSON
import Persistence

/// What a cached list contained when it was last read.
package struct ListContent: Sendable {
    fileprivate var position: SnapshotPosition?
    /// The hash of each element with an id, by its id.
    fileprivate var elements: [ElementKey: Int] = [:]
    /// The hash of the elements without an id.
    fileprivate var rest = 0

    /// Creates the content of a list that is not cached.
    package init() {}
}

/// How the elements of a list differ from those at an earlier time.
package struct ListChange: Sendable, Hashable {
    /// The ids of the elements that are new or different, as far as they are known.
    package var changed: Set<ElementKey>
    /// The ids of the elements that are gone.
    package var deleted: Set<ElementKey>
    /// Whether other elements may differ, too.
    package var isAll: Bool

    package init(
        changed: Set<ElementKey> = [],
        deleted: Set<ElementKey> = [],
        isAll: Bool = false
    ) {
        (self.changed, self.deleted, self.isAll) = (changed, deleted, isAll)
    }

    package var isEmpty: Bool { changed.isEmpty && deleted.isEmpty && !isAll }

    /// Whether the element with this id may differ.
    package func contains(_ id: ElementKey) -> Bool {
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
        if let tail, !tail.isWhole, old.position != nil,
            let change = apply(tail, to: &content)
        {
            content.position = tail.position
            return change
        }
        content = ListContent()
        guard let tail, let elements = try? retrieve()?.value.models() else {
            return ListChange(isAll: old.position != nil)
        }
        content.position = tail.position
        content.insert(elements, as: Elements.self)
        return content.difference(from: old)
    }

    /// Applies appended records to `content`; nil if only the list shows what they have changed, because
    /// they may have an earlier version of an element.
    private func apply<Elements>(
        _ tail: SnapshotTail,
        to content: inout ListContent
    ) -> ListChange? where Codec == EncodedListCodec<Elements>, Elements.Element.Model: Hashable {
        let own = Set(SnapshotMetadata(tail.metadata).own)
        var (change, updated) = (ListChange(), content)
        for bytes in tail.records {
            guard let record = try? ListRecord<Codec>(bytes), !record.isEmpty else { continue }
            var new = ListContent()
            new.insert((try? record.changed?.models()) ?? [], as: Elements.self)
            guard own.isDisjoint(with: new.elements.keys) else { return nil }
            for id in record.deleted.map(Elements.key)
            where updated.elements.removeValue(forKey: id) != nil {
                change.append(ListChange(deleted: [id]))
            }
            for (id, hash) in new.elements
            where updated.elements.updateValue(hash, forKey: id) != hash {
                change.append(ListChange(changed: [id]))
            }
        }
        content = updated
        return change
    }
}

extension ListCodec {
    /// The id of an element, as an id of any list.
    fileprivate static func key(_ id: ElementID) -> ElementKey {
        switch id {
        case let id as Identifier: .uuid(id)
        case let id as ElementKey: id
        default: ElementKey(id.description)
        }
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
                elements[Codec.key(id)] = element.hashValue
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
