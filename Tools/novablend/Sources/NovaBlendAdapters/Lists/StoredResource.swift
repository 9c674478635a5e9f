package import Contract
package import Domain
import JSON
import NovaBlendAccounts
package import Persistence

/// A cached resource, encoded by its codec, followed by what has changed in it since. A cached resource
/// from a different URL, or of a different customer, is ignored.
package struct StoredResource<Codec: PagedCodec>: ResourceCache {
    package let name: String
    /// The identity of the URL that the resource comes from.
    let url: String?
    let store: any SnapshotStore
    private let memory: ListMemory
    /// Knows whose the list is; nil for a list that does not depend on the customer.
    private let subjects: KnownSubjects?
    /// Whether the resource depends on the customer.
    var isPersonal: Bool { subjects != nil }

    /// - Parameters:
    ///   - memory: The decoded lists that stay in memory between calls. All users of the store share
    ///     them.
    ///   - subjects: Knows whose the list is; nil for a list that does not depend on the customer.
    package init(
        name: String,
        url: String?,
        store: any SnapshotStore,
        memory: ListMemory = ListMemory(),
        subjects: KnownSubjects? = nil
    ) {
        self.name = name
        self.url = url.map(URLParts.identity)
        self.store = store
        self.memory = memory
        self.subjects = subjects
    }

    /// Whose a cached list is; nil if it comes from a different URL.
    func ownership(of metadata: SnapshotMetadata) -> KnownSubjects.Ownership? {
        guard metadata.url == url else { return nil }
        return subjects?.ownership(of: metadata.owner) ?? .own
    }

    private static var unknownOwnerWarning: String {
        "it is not known whether this list belongs to the present credentials"
    }

    package func retrieve() throws -> CachedValue<Codec.Model>? {
        if let list = try retrieveFromMemory() { return list }
        guard let (snapshot, position) = try store.loadWithPosition(name) else { return nil }
        let list = try decode(snapshot)
        if let list { keep(list, Self.own(snapshot.metadata), position) }
        return list
    }

    private struct Content: Sendable {
        let position: SnapshotPosition
        let list: CachedValue<Codec.Model>
        let own: Set<Codec.ElementID>
    }

    /// The ids of the elements that this program has changed since the list was loaded. They may be
    /// newer than what the feed sends.
    private static func own(_ metadata: [UInt8]) -> Set<Codec.ElementID> {
        Set(SnapshotMetadata(metadata).own.compactMap { Codec.ElementID($0.description) })
    }

    private var memoryKey: ListMemory.Key {
        ListMemory.Key(name: name, url: url, codec: Codec.self)
    }

    /// The list in memory, with what has been appended to the file since; nil if the list is not in
    /// memory or the file was replaced. The position contains the checksum of the file, so the list is
    /// still the one in the file.
    private func retrieveFromMemory() throws(StoreError) -> CachedValue<Codec.Model>? {
        guard let known: Content = memory[memoryKey] else { return nil }
        guard let tail = try store.tail(of: name, after: known.position), !tail.isWhole else {
            memory.remove(memoryKey)
            return nil
        }
        var list = known.list
        if subjects != nil {
            // The credentials may have changed since the list was decoded.
            let ownership = ownership(of: SnapshotMetadata(tail.metadata))
            guard ownership != .other else {
                memory.remove(memoryKey)
                return nil
            }
            list.warning = ownership == .unknown ? Self.unknownOwnerWarning : nil
        }
        list.fetchedAt = tail.savedAt
        try Self.apply(tail.records, to: &list, unlessOlderThan: known.own)
        keep(list, known.own, tail.position)
        return list
    }

    private func keep(
        _ list: CachedValue<Codec.Model>,
        _ own: Set<Codec.ElementID>,
        _ position: SnapshotPosition
    ) {
        let content = Content(position: position, list: list, own: own)
        memory.set(content, size: Codec.memorySize(of: list.value), for: memoryKey)
    }

    /// Decodes a snapshot; nil if it comes from a different URL or belongs to a different customer.
    func decode(_ snapshot: Snapshot) throws(StoreError) -> CachedValue<Codec.Model>? {
        let ownership = ownership(of: SnapshotMetadata(snapshot.metadata))
        guard let ownership, ownership != .other else { return nil }
        var list = try Self.content(of: snapshot)
        if ownership == .unknown { list.warning = Self.unknownOwnerWarning }
        return list
    }

    /// Decodes a snapshot of any URL and any owner.
    static func content(
        of snapshot: Snapshot
    ) throws(StoreError) -> CachedValue<Codec.Model> {
        let metadata = SnapshotMetadata(snapshot.metadata)
        let payload = snapshot.payload
        let value: Codec.Model
        do {
            let stored = metadata.validationStamp.flatMap {
                Codec.restore(payload, validationStamp: $0)
            }
            if let stored {
                value = stored
            } else {
                value = try Codec.decode(payload, limits: JSONLimits(maximumBytes: payload.count))
            }
        } catch {
            throw damage(error)
        }
        var list = CachedValue(
            value: value,
            fetchedAt: snapshot.savedAt,
            loadedAt: metadata.loadedAt ?? neverLoaded,
            validators: metadata.validators,
            cursor: metadata.cursor,
            isComplete: !metadata.isPart
        )
        try apply(snapshot.records, to: &list, unlessOlderThan: own(snapshot.metadata))
        return list
    }

    /// The time at which a list was loaded that never was.
    static var neverLoaded: Timestamp { Timestamp(secondsSince1970: 0) }

    private static func apply(
        _ records: [[UInt8]],
        to list: inout CachedValue<Codec.Model>,
        unlessOlderThan own: Set<Codec.ElementID>
    ) throws(StoreError) {
        do {
            for bytes in records {
                let record = try ListRecord<Codec>(bytes)
                list.cursor = record.cursor ?? list.cursor
                list.loadedAt = record.loadedAt ?? list.loadedAt
                if record.isEmpty { continue }
                list.value = try record.applied(to: list.value, unlessOlderThan: own)
                list.validators = nil
            }
            // What does not follow a feed only gets newer by requests of its own.
            if list.cursor == nil { list.loadedAt = list.fetchedAt }
        } catch {
            throw damage(error)
        }
    }

    /// A stored payload that violates the contract counts as damaged.
    private static func damage(_ error: JSONError) -> StoreError {
        StoreError(.load, path: "the payload", .damaged(error.description))
    }

    package func validators() -> String? {
        guard let tail = try? store.tail(of: name, after: nil) else { return nil }
        let metadata = SnapshotMetadata(tail.metadata)
        let records = tail.records.map { try? ListRecord<Codec>($0) }
        return ownership(of: metadata) == .own && records.allSatisfy { $0?.isEmpty == true }
            ? metadata.validators : nil
    }

    package func replace(
        with cached: CachedValue<Codec.Model>,
        if condition: () -> Bool
    ) throws -> Bool {
        try store.replace(name, with: snapshot(of: cached, owner: ownerToStore()), if: condition)
    }

    /// The owner of a list that is stored now. This may write the file of the subjects, which may have the
    /// same lock as the lists, so it must not be called while a list is updated.
    private func ownerToStore() -> KnownSubjects.Owner {
        subjects?.ownerToStore() ?? KnownSubjects.Owner()
    }

    /// The snapshot of a list in which the elements `own` may be newer than the feed.
    func snapshot(
        of cached: CachedValue<Codec.Model>,
        own: [ElementKey] = [],
        owner: KnownSubjects.Owner
    ) -> Snapshot {
        Snapshot(
            payload: Codec.encode(cached.value),
            savedAt: cached.fetchedAt,
            metadata: SnapshotMetadata(
                url: url,
                isPart: !cached.isComplete,
                cursor: cached.cursor,
                loadedAt: cached.loadedAt,
                own: own,
                validationStamp: Codec.validationStamp(of: cached.value),
                owner: owner,
                validators: cached.validators
            ).bytes
        )
    }

    /// Appends only the times and the cursor, because a list can be large. Writes the whole list if
    /// there are many appended records already.
    package func confirm(
        _ cached: CachedValue<Codec.Model>,
        if condition: () -> Bool
    ) throws -> Bool {
        guard let tail = try store.tail(of: name, after: nil) else { return condition() }
        let metadata = SnapshotMetadata(tail.metadata)
        guard ownership(of: metadata) == .own, metadata.validators == cached.validators else {
            return condition()
        }
        if !tail.isLong {
            guard condition() else { return false }
            // Without a cursor, the time of the record is that of the load, too.
            let loadedAt = cached.cursor == nil ? nil : cached.loadedAt
            _ = try store.append(
                ListRecord<Codec>(cursor: cached.cursor, loadedAt: loadedAt).bytes,
                to: name,
                at: tail.position,
                savedAt: cached.fetchedAt
            )
            return true
        }
        return try replace(with: cached, if: condition)
    }

    package func delete() throws {
        try store.remove(name)
    }
}

extension StoredResource: ListCache where Codec: ListCodec {
    package func elements() -> [Codec.Element.Model]? { (try? retrieve())?.value }

    /// Replaces the list with a changed one. The new list has no validators, because the server has
    /// not sent exactly this list.
    package func update(
        _ change: ([Codec.Element.Model]?) -> [Codec.Element.Model]?
    ) throws {
        var failure: (any Error)?
        let owner = ownerToStore()
        try store.update(name) { current in
            do {
                let cached = try current.flatMap(decode)
                // What a list of a different customer says about itself is not true of this one.
                let old = cached == nil ? nil : current.map { SnapshotMetadata($0.metadata) }
                let metadata = old ?? SnapshotMetadata(owner: owner)
                return change(cached?.value).map { snapshot(of: $0, replacing: cached, metadata) }
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
    }

    /// The snapshot of a list in which this program has changed elements, in addition to those in `own`.
    private func snapshot(
        of elements: [Codec.Element.Model],
        replacing cached: CachedValue<Codec.Model>?,
        _ old: SnapshotMetadata
    ) -> Snapshot {
        let list = EncodedList<Codec>(elements)
        let changed = Self.changedIDs(from: cached?.value ?? [], to: elements)
        let metadata = SnapshotMetadata(
            url: url,
            isPart: cached?.isComplete != true,
            cursor: cached?.cursor,
            loadedAt: cached?.loadedAt,
            own: old.own.filter { !changed.contains($0) } + changed,
            validationStamp: EncodedListCodec<Codec>.validationStamp(of: list),
            owner: old.owner
        )
        var snapshot = Snapshot(payload: list.bytes, metadata: metadata.bytes)
        if let cached { snapshot.savedAt = cached.fetchedAt }
        return snapshot
    }

    /// The ids of the elements whose version differs. Elements without a version are never older than
    /// others, so they need not be known.
    private static func changedIDs(from old: Codec.Model, to new: Codec.Model) -> [ElementKey] {
        var versions: [Codec.ElementID: Int] = [:]
        for element in old {
            if let id = Codec.id(of: element) { versions[id] = Codec.version(of: element) }
        }
        return new.compactMap { element in
            guard let id = Codec.id(of: element), let version = Codec.version(of: element),
                versions[id] != version
            else { return nil }
            return ElementKey(id.description)
        }
    }
}

/// A page of the cached list.
package struct StoredPage<Codec: ListCodec>: ResourceCache
where Codec.Element.Model: Identifiable, Codec.Element.Model.ID: Sendable {
    package typealias Element = Codec.Element.Model

    let list: StoredResource<Codec>
    let page: Page<Element>

    package func retrieve() throws -> CachedValue<[Element]>? {
        guard let cached = try list.retrieve(), let elements = page.elements(in: cached.value)
        else {
            return nil
        }
        // A page in the middle is complete even if the end of the list is missing.
        return CachedValue(
            value: elements,
            fetchedAt: cached.fetchedAt,
            isComplete: cached.isComplete || !page.isLast(elements)
        )
    }

    package func validators() -> String? { nil }

    /// Stores the first page, or merges a later page into the cached list. The list retains the age
    /// of its first page.
    package func replace(
        with cached: CachedValue<[Element]>,
        if condition: () -> Bool
    ) throws -> Bool {
        let isPart = !page.isLast(cached.value)
        let metadata = SnapshotMetadata(url: list.url, isPart: isPart).bytes
        func snapshot(_ list: [Element], _ savedAt: Timestamp) -> Snapshot {
            Snapshot(payload: Codec.encode(list), savedAt: savedAt, metadata: metadata)
        }
        guard page.after != nil else {
            let first = snapshot(cached.value, cached.fetchedAt)
            return try list.store.replace(list.name, with: first, if: condition)
        }
        var isWanted = true
        try list.store.update(list.name) { current in
            isWanted = condition()
            guard isWanted, let current, SnapshotMetadata(current.metadata).url == list.url,
                let earlier = try? Codec.decode(
                    current.payload,
                    limits: JSONLimits(maximumBytes: current.payload.count)
                ),
                let merged = page.merge(cached.value, into: earlier)
            else { return nil }
            return snapshot(merged, current.savedAt)
        }
        return isWanted
    }

    package func delete() throws { try list.delete() }
}

/// The metadata of a stored list.
///
/// The metadata consists of six lines and the validators. The lines are the URL; `part` or `whole` and
/// the cursor; when the list was loaded, in seconds since 1970; a JSON array of own ids; the validation
/// stamp; and the owner. None of them can contain a line feed.
struct SnapshotMetadata {
    /// The identity of the URL that the list came from; nil if none was configured.
    var url: String?
    /// Whether only a part of a list is stored: its beginning, or the appointments that were booked
    /// before any list was loaded.
    var isPart = false
    /// The position in the server's feed of changes up to which the list is current.
    var cursor: String?
    /// When the list was last loaded by a request of its own; nil if it never was.
    var loadedAt: Timestamp?
    /// The ids of the elements that this program has changed since the list was loaded.
    var own: [ElementKey] = []
    /// The stamp that lets the codec restore the payload without validating it again.
    var validationStamp: String?
    /// Whose list it is.
    var owner = KnownSubjects.Owner()
    /// The validators for a conditional request.
    var validators: String?

    private static let lineFeed = UInt8(ascii: "\n")
    private static let part = "part"
    /// How many ids of own elements are stored. With more, the oldest ones are dropped, because the
    /// size of the metadata is limited.
    private static let maximumOwn = 256
    /// A longer id of an own element is not stored.
    private static let maximumIDSize = 128
}

extension SnapshotMetadata {
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func nextLine() -> String? {
            let line = rest.prefix { $0 != Self.lineFeed }
            rest = rest[line.endIndex...].dropFirst()
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
        url = nextLine()
        let extent = nextLine()?.split(separator: " ", maxSplits: 1) ?? []
        isPart = extent.first == Self.part[...]
        cursor = extent.dropFirst().first.map(String.init)
        loadedAt = nextLine().flatMap { Int64($0) }.map { Timestamp(secondsSince1970: $0) }
        own = nextLine().map(Self.ids) ?? []
        validationStamp = nextLine()
        owner = KnownSubjects.Owner(line: nextLine() ?? "")
        validators = rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    var bytes: [UInt8] {
        let extent = (isPart ? Self.part : "whole") + (cursor.map { " " + $0 } ?? "")
        let ids = own.map(\.description).filter { $0.utf8.count <= Self.maximumIDSize }
        let ownText =
            ids.isEmpty
            ? "" : JSONFragment { Array(ids.suffix(Self.maximumOwn)).write(to: &$0) }.description
        let lines = [
            url ?? "", extent, loadedAt.map { "\($0.secondsSince1970)" } ?? "", ownText,
            validationStamp ?? "", owner.line, validators ?? "",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func ids(_ text: String) -> [ElementKey] {
        guard let array = try? JSONDocument(parsing: Array(text.utf8)).root.array() else {
            return []
        }
        return array.compactMap { (try? $0.string()).map { ElementKey($0) } }
    }
}

extension SnapshotStore {
    /// When the cached list `name` was last current, and whether it is the whole list; nil if it is
    /// not cached.
    package func age(of name: String) -> (fetchedAt: Timestamp, isComplete: Bool)? {
        guard let tail = try? tail(of: name, after: nil) else { return nil }
        let isPart = SnapshotMetadata(tail.metadata).isPart
        return (tail.savedAt, !isPart)
    }
}
